"""Blocks of the streams of `id::generator`, made a second way: writes streams.csv beside this file.

AES comes from the package `cryptography` (50.0.2, on OpenSSL), one block at a time in ECB mode; ChaCha is written out after
RFC 8439 section 2.3 with 8 rounds, and, as in `rand_chacha`, a 64-bit counter in words 12 and 13 and a 64-bit
stream number in words 14 and 15; SplitMix64 after Steele, Lea and Flood 2014.
"""
import pathlib
import struct

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

SEEDS = [0, 1, 2**64 - 1]
NUMBERS = [0, 1, 2**63]
BLOCKS = [0, 1, 2**32 - 1, 2**32, 2**40 + 3, 2**64 - 1]


def spread(seed):
    """The 32 bytes of a seed that is given as a number."""
    made = b""
    for step in range(1, 5):
        mixed = (seed + step * 0x9E3779B97F4A7C15) % 2**64
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        made += struct.pack("<Q", mixed ^ (mixed >> 31))
    return made


def aes(key, number, block):
    cipher = Cipher(algorithms.AES(key[:16]), modes.ECB()).encryptor()
    return cipher.update(struct.pack(">QQ", number, block))


def quarter(x, a, b, c, d):
    for to, more, turned, left in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)]:
        x[to] = (x[to] + x[more]) % 2**32
        mixed = x[turned] ^ x[to]
        x[turned] = (mixed << left | mixed >> (32 - left)) % 2**32


def chacha8(key, number, block):
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key)]
    start += struct.unpack("<4I", struct.pack("<QQ", block // 4, number))
    x = start[:]
    for _ in range(4):
        for column in range(4):
            quarter(x, column, 4 + column, 8 + column, 12 + column)
        for column in range(4):
            quarter(x, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    made = struct.pack("<16I", *((now + then) % 2**32 for now, then in zip(x, start)))
    return made[block % 4 * 16:][:16]


with open(pathlib.Path(__file__).with_suffix(".csv"), "w", newline="\n") as table:
    print("cipher,seed,number,block,bytes", file=table)
    for name, made in [("aes", aes), ("chacha8", chacha8)]:
        for seed, number, block in [(s, n, b) for s in SEEDS for n in NUMBERS for b in BLOCKS]:
            print(name, seed, number, block, made(spread(seed), number, block).hex(), sep=",", file=table)
