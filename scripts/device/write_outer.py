#!/usr/bin/env python3
"""Variants of a cubin whose loop multiplies factors from shared memory (outer.cu, bulk_product).

usage: write_outer.py IN.cubin OUT_PREFIX

Writes OUT_PREFIX-PRODUCT-LOAD.cubin.  PRODUCT: `same`: as ptxas has it; `unmarked`: no factor is marked as to be used
again; `two`: both factors in one register; `one`: both factors and the sum.  LOAD: `same`, `wide2`, `wide1`: loads of two words
or one in place of four (`wide1` of two); `none`: no loads.  Bits of sm_90's 128-bit instructions: opcode 0-11, target
16-23, a 24-31, b 32-39, addend 64-71, size of a load 73-75, stall 105-108, yield 109, barriers 110-115, wait mask 116-121,
reuse of a, b and addend 122, 123, 124."""
import struct
import sys

FFMA, LDS, NOP = 0x7223, (0x7984, 0x984, 0xa984, 0x7884), 0x7918


def main(path, prefix):
    data = open(path, 'rb').read()
    code = range(0, len(data) - 15, 16)
    opcode = {i: struct.unpack_from('<H', data, i)[0] for i in code}
    products = [i for i in code if opcode[i] == FFMA]
    loads = [i for i in code if opcode[i] & 0xfff == 0x984 and products[0] - 1024 < i < products[-1]]
    assert len(products) >= 256 and loads, (len(products), len(loads))
    for product in 'same', 'unmarked', 'two', 'one':
        for load in 'same', 'wide2', 'wide1', 'none':
            out = bytearray(data)
            for i in products:
                low, high = struct.unpack_from('<QQ', data, i)
                if product != 'same':
                    high &= ~(0xf << 58)
                if product == 'two':
                    low = low & ~(0xff << 32) | (low >> 24 & 0xff) << 32
                if product == 'one':
                    target = low >> 16 & 0xff
                    low = low & ~(0xffff << 24) | target << 24 | target << 32
                    high = high & ~0xff | target
                struct.pack_into('<QQ', out, i, low, high)
            for i in loads:
                low, high = struct.unpack_from('<QQ', data, i)
                size = high >> 9 & 7
                if load == 'none':
                    low, high = NOP, high & (0x3f << 52 | 0x1f << 41) | 0x3f << 46
                elif load != 'same':
                    new = min(size, 5 if load == 'wide2' else 4)
                    high = high & ~(7 << 9) | new << 9
                struct.pack_into('<QQ', out, i, low, high)
            open(f'{prefix}-{product}-{load}.cubin', 'wb').write(out)


main(*sys.argv[1:])
