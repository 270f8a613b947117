"""How long numpy's `sort` takes for an id of a trial, beside `benches/simulate.rs`: many trials in one array, sorted along its
last axis. Drawing and counting are left out, the copy that is sorted is made before.

One JSON line a regime on stdout; `missing` in it where numpy is not installed. `simd` names the vector extensions that numpy
found: it has one sort for AVX-512 and another for AVX2, X86_V4 and X86_V3, so that ratios hold for one kind of processor.
"""
import argparse
import json
import time

# Bits of an id, log2 of the ids of a trial, trials.
REGIMES = [(20, 10, 1024), (24, 12, 256), (32, 16, 16), (40, 20, 1)]


def simd(numpy):
    try:
        return numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    except (TypeError, KeyError):
        return None


def measure(numpy, bits, draws, trials, rounds):
    """The least nanoseconds an id over the rounds; then the order is looked at."""
    kind = numpy.uint32 if bits <= 32 else numpy.uint64
    ids = numpy.random.default_rng(122).integers(0, 1 << bits, size=(trials, draws), dtype=kind)
    least = float("inf")
    for _ in range(rounds):
        copy = ids.copy()
        start = time.perf_counter_ns()
        copy.sort(axis=-1)
        least = min(least, time.perf_counter_ns() - start)
    assert (copy[:, :-1] <= copy[:, 1:]).all(), "not sorted"
    return {"ns_per_id": least / (trials * draws), "repeats": int((copy[:, :-1] == copy[:, 1:]).sum())}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=20, help="of which the least counts (20)")
    rounds = options.parse_args().rounds
    for bits, log_draws, trials in REGIMES:
        row = {"peer": "numpy sort", "bits": bits, "draws": 1 << log_draws, "trials": trials}
        try:
            import numpy

            row |= {"version": numpy.__version__, "simd": simd(numpy)}
            row |= measure(numpy, bits, 1 << log_draws, trials, rounds)
        except ImportError as error:
            row["missing"] = str(error)
        print(json.dumps(row), flush=True)


main()
