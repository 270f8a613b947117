"""How long Python takes for an id: its own `uuid`, the packages `uuid_utils` and `uuid6`, and numpy in bulk.

One JSON line a peer on stdout, `missing` in it where a package is not installed. Whatever is timed is kept, and after
its slice looked at: version, variant, and that no id of the last batch comes twice.
"""
import argparse
import functools
import importlib
import json
import platform
import sys
import time
import uuid
from importlib import metadata

# Ids of a batch: enough that reading the clock costs nothing.
ONE_AT_A_TIME = 1_000
# numpy's calls cost microseconds; from this size on they no longer weigh.
BULK = 1 << 14


class Broken(Exception):
    """Ids that are not what they must be."""


def measure(seconds, batch, look_at):
    """Nanoseconds and ids of so many seconds, after a tenth of it unmeasured; the batches' own time only."""
    warm = time.perf_counter_ns() + seconds * 1e8
    while time.perf_counter_ns() < warm:
        batch()
    spent = ids = checksum = 0
    while spent < seconds * 1e9:
        start = time.perf_counter_ns()
        made = batch()
        spent += time.perf_counter_ns() - start
        ids += len(made) if isinstance(made, list) else BULK
        checksum ^= made[-1].int if isinstance(made, list) else int(made[-1])
    return {"ids": ids, "ns_per_id": spent / ids, "checked": look_at(made), "checksum": f"{checksum:x}"}


def look_at(version):
    """The check of a list of UUIDs: how many were looked at."""

    def check(made):
        if any(made_id.int >> 76 & 15 != version or made_id.int >> 62 & 3 != 2 for made_id in made):
            raise Broken("version or variant is wrong")
        if len({made_id.int for made_id in made}) != len(made):
            raise Broken("an id comes twice")
        return len(made)

    return check


def one_at_a_time(make):
    return lambda: [make() for _ in range(ONE_AT_A_TIME)]


def of_package(name, call):
    """The version of a package and a batch of its function."""
    return metadata.version(name), one_at_a_time(getattr(importlib.import_module(name), call))


def of_numpy(bit_generator, call):
    """UUIDv4 in bulk as words of 64 bits, low bytes first; from bytes with one copy, since numpy's are read-only.

    Masks as long as the batch: the fastest of the ways tried to set bits, above columns and broadcasting.
    """
    import numpy

    if sys.byteorder != "little":
        raise ImportError("written for machines with the low byte first")
    source = numpy.random.Generator(getattr(numpy.random, bit_generator)(122))
    kept = numpy.tile(numpy.array([0xFF0F_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FF3F], dtype=numpy.uint64), BULK)
    fixed = numpy.tile(numpy.array([0x0040_0000_0000_0000, 0x80], dtype=numpy.uint64), BULK)

    def batch():
        if call == "integers":
            words = source.integers(0, 2**64, size=2 * BULK, dtype=numpy.uint64)
        else:
            words = numpy.frombuffer(bytearray(source.bytes(16 * BULK)), dtype=numpy.uint64)
        words &= kept
        words |= fixed
        return words

    return numpy.__version__, batch


def look_at_words(words):
    made = words.tobytes()
    return look_at(4)([uuid.UUID(bytes=made[place : place + 16]) for place in range(0, len(made), 16)])


def peers():
    """Name, what is measured, the form of an id, the generator of uuidcap beside it, how to make it, how to check it."""
    single = "one call an id, in a list"
    python = platform.python_version()
    yield "python uuid.uuid4", single, "object", "v4", lambda: (python, one_at_a_time(uuid.uuid4)), look_at(4)
    yield "python uuid.uuid1", single, "object", "v1", lambda: (python, one_at_a_time(uuid.uuid1)), look_at(1)
    for package, call, ours in [
        ("uuid_utils", "uuid4", "v4"),
        ("uuid_utils", "uuid7", "v7-monotonic"),
        ("uuid6", "uuid6", "v6"),
        ("uuid6", "uuid7", "v7-monotonic"),
    ]:
        make = functools.partial(of_package, package, call)
        yield f"{package}.{call}", single, "object", ours, make, look_at(int(call[-1]))
    for source, call in [("PCG64", "integers"), ("Philox", "integers"), ("SFC64", "integers"), ("SFC64", "bytes")]:
        make = functools.partial(of_numpy, source, call)
        yield f"numpy {source}.{call}", f"{BULK} ids a call, bits set", "bytes", "v4", make, look_at_words


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=0.3, help="measured for each peer")
    seconds = options.parse_args().seconds
    for peer, measures, form, ours, make, check in peers():
        row = {"peer": peer, "measures": measures, "form": form, "beside": ours}
        try:
            row["version"], batch = make()
            row |= measure(seconds, batch, check)
        except (ImportError, AttributeError, metadata.PackageNotFoundError) as error:
            row["missing"] = str(error)
        except Broken as error:
            row["broken"] = str(error)
        print(json.dumps(row), flush=True)


main()
