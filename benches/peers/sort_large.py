"""How long numpy takes to sort ids that were made before: `sort_large.py BITS IDS`; ns an id, then its version and vectors."""
import sys
import time

import numpy

bits, count = int(sys.argv[1]), int(sys.argv[2])
ids = numpy.random.default_rng(7).integers(0, 2**bits, size=count, dtype=numpy.uint64)
start = time.perf_counter_ns()
ids.sort()
spent = time.perf_counter_ns() - start
found = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
avx512 = any("AVX512" in name or name == "X86_V4" for name in found)
print(spent / count, f"numpy {numpy.__version__}, {'with' if avx512 else 'WITHOUT'} AVX-512: {' '.join(found)}")
