#!/usr/bin/env python3
"""Variants of ports.cubin (nvcc -arch=sm_90 -cubin ports.cu), of which each product reads other registers.

usage: write_ports.py ports.cubin FOLDER

Writes FOLDER/NAME.cubin for each of VARIANTS.  A product is FFMA target, a, b, target.  Registers of one parity are in
one bank.  Bits of sm_90's 128-bit instructions: opcode 0-11, target 16-23, a 24-31, b 32-39, addend 64-71, stall 105-108,
yield 109, barriers 110-115, wait mask 116-121, reuse of a, b and addend 122, 123, 124."""
import os
import struct
import sys

FFMA = 0x7223


def products(data):
    at = [i for i in range(0, len(data) - 15, 16) if struct.unpack_from('<H', data, i)[0] == FFMA]
    assert len(at) == 256, len(at)
    return at


def run(length, same_bank, marked, turn=False):
    """b stays for `length` products (marked as to be used again, or not); a is another each time, in the target's bank
    or the other; `turn`: in every other run a and b change places."""
    def pattern(j):
        number, i = divmod(j, length)
        stays, moves = (number % 2, 6 + number % 2), (i % 2, i // 2 % 6)
        target = i % 2 if same_bank else 1 - i % 2
        again = int(marked and i + 1 < length)
        return (*stays, *moves, target, again, 0) if turn and number % 2 else (*moves, *stays, target, 0, again)
    return pattern


# Of product j: parity and number of a, of b, parity of the target, whether a and b are marked.
VARIANTS = {
    'two_apart': lambda j: (j % 2, j // 2 % 8, j % 2, j // 2 % 8, 1 - j % 2, 0, 0),
    'two_same': lambda j: (j % 2, j // 2 % 8, j % 2, j // 2 % 8, j % 2, 0, 0),
    'two_even': lambda j: (0, j % 8, 0, j % 8, 0, 0, 0),
    'three_ab_apart': lambda j: (j % 2, j // 2 % 8, 1 - j % 2, (j // 2 + 3) % 8, j % 2, 0, 0),
    'three_ab_same': lambda j: (j % 2, j // 2 % 8, j % 2, (j // 2 + 3) % 8, 1 - j % 2, 0, 0),
    'three_same': lambda j: (j % 2, j // 2 % 8, j % 2, (j // 2 + 3) % 8, j % 2, 0, 0),
    'three_even': lambda j: (0, j % 8, 0, (j + 3) % 8, 0, 0, 0),
}
for length in 2, 4, 8, 16, 64:
    VARIANTS[f'run_{length}'] = run(length, False, True)
    VARIANTS[f'run_{length}_turn'] = run(length, False, True, True)
    VARIANTS[f'run_{length}_same'] = run(length, True, True)
    VARIANTS[f'run_{length}_unmarked'] = run(length, False, False)


def main(path, folder):
    data = open(path, 'rb').read()
    at = products(data)
    words = [struct.unpack_from('<QQ', data, i) for i in at]
    targets = sorted({w[0] >> 16 & 0xff for w in words})
    reads = sorted({w[0] >> s & 0xff for w in words for s in (24, 32)} - set(targets))
    by = [[r for r in reads if r % 2 == p] for p in (0, 1)]
    to = [[r for r in targets if r % 2 == p] for p in (0, 1)]
    assert all(len(x) >= 8 for x in by) and all(len(x) >= 12 for x in to), (by, to)
    os.makedirs(folder, exist_ok=True)
    for name, pattern in VARIANTS.items():
        out, used = bytearray(data), [0, 0]
        for j, (i, (low, high)) in enumerate(zip(at, words)):
            bank_a, a, bank_b, b, bank, again_a, again_b = pattern(j)
            target = to[bank][used[bank] % len(to[bank])]
            used[bank] += 1
            low = low & ~(0xffffffff << 16) | target << 16 | by[bank_a][a] << 24 | by[bank_b][b] << 32
            high = high & ~(0xff | 0xf << 58) | target | again_a << 58 | again_b << 59
            if j < 255:  # one cycle to the next; behind the last one comes what ptxas made
                high = high & ~(0x1f << 41) | 0x11 << 41
            struct.pack_into('<QQ', out, i, low, high)
        open(os.path.join(folder, name + '.cubin'), 'wb').write(out)


main(*sys.argv[1:])
