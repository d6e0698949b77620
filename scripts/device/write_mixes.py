#!/usr/bin/env python3
"""Writes kernels that mix one operation with others, as PTX, for launch_mixes.cpp.

usage: write_mixes.py FOLDER

FOLDER/mixes_N.ptx have the kernels (16 files, for as many processors), FOLDER/plan.txt a line for each: its name, the
operation, how many of each other one stand beside it in a round, and the rounds of an iteration.
"""
import re
import sys

CHAINS = 8
PARTS = 16

# name: (registers that a chain has: kind and number, PTX with {k}: the chain's number)
OPS = {
    "ffma": "fma.rn.f32 ff{k}, ff{k}, x, x;",
    "fadd": "add.f32 ff{k}, ff{k}, x;",
    "logic": "lop3.b32 l{k}, l{k}, y, m, 0x6a;",
    "imad": "mad.lo.s32 h{k}, h{k}, m, m;",
    "high": "mul.hi.s32 h{k}, h{k}, m;",
    "high_unsigned": "mul.hi.u32 h{k}, h{k}, m;",
    "wide": "mov.b64 {{t0, t1}}, p{k}; mov.b64 {{t2, t1}}, p{next}; mul.wide.s32 p{k}, t0, t1;",
    "wide_unsigned": "mov.b64 {{t0, t1}}, p{k}; mov.b64 {{t2, t1}}, p{next}; mul.wide.u32 p{k}, t0, t1;",
    "wide_add": "mov.b64 {{t0, t1}}, p{k}; mov.b64 {{t2, t1}}, p{next}; mad.wide.s32 p{k}, t0, t1, c64;",
    "address": "mad.wide.s32 p{k}, l{k}, 12, c64; mov.b64 {{t0, t1}}, p{k}; xor.b32 l{k}, t0, t1;",
    "iadd3": "add.s32 t0, l{k}, y; add.s32 l{k}, t0, m;",
    "add64": "add.s64 p{k}, p{k}, c64;",
    "shf": "shf.l.wrap.b32 l{k}, l{k}, y, 7;",
    "shift_by": "shr.u32 l{k}, l{k}, m; add.s32 l{k}, l{k}, y;",
    "prmt": "prmt.b32 l{k}, l{k}, y, m;",
    "min": "min.s32 l{k}, l{k}, y; max.s32 l{k}, l{k}, m;",
    "fmin": "min.f32 ff{k}, ff{k}, x; max.f32 ff{k}, ff{k}, z;",
    "select": "setp.lt.s32 q, l{k}, y; selp.s32 l{k}, m, y, q;",
    "fselect": "setp.lt.f32 q, ff{k}, x; selp.f32 ff{k}, z, x, q;",
    "under": "setp.lt.s32 q, l{k}, y; @q add.s32 l{k}, l{k}, m;",
    "dp4a": "dp4a.s32.s32 h{k}, h{k}, m, m;",
    "popc": "popc.b32 h{k}, h{k};",
    "clz": "bfind.u32 h{k}, h{k};",
    "brev": "brev.b32 h{k}, h{k};",
    "ex2": "ex2.approx.ftz.f32 g{k}, g{k};",
    "rsqrt": "rsqrt.approx.ftz.f32 g{k}, g{k};",
    "sqrt": "sqrt.approx.ftz.f32 g{k}, g{k};",
    "sin": "sin.approx.ftz.f32 g{k}, g{k};",
    "lg2": "lg2.approx.ftz.f32 g{k}, g{k};",
    "tanh": "tanh.approx.f32 g{k}, g{k};",
    "f2i": "cvt.rzi.s32.f32 h{k}, g{k}; mov.b32 g{k}, h{k};",
    "f2i64": "cvt.rzi.s64.f32 p{k}, g{k}; mov.b64 {{t0, t1}}, p{k}; mov.b32 g{k}, t0;",
    "i2f": "mov.b32 t0, g{k}; cvt.rn.f32.s32 g{k}, t0;",
    "i642f": "cvt.rn.f32.s64 g{k}, p{k}; mov.b32 t0, g{k}; mov.b64 p{k}, {{t0, m}};",
    "round": "cvt.rni.f32.f32 g{k}, g{k}; mov.b32 t0, g{k}; xor.b32 t0, t0, y; mov.b32 g{k}, t0;",
    "f2f64": "mov.b64 {{t0, t1}}, d{k}; mov.b32 tf, t1; cvt.f64.f32 d{k}, tf;",
    "f642f": "cvt.rn.f32.f64 tf, d{k}; mov.b32 t0, tf; mov.b64 d{k}, {{t0, m}};",
    "i2f64": "mov.b64 {{t0, t1}}, d{k}; cvt.rn.f64.s32 d{k}, t1;",
    "f642i": "cvt.rzi.s32.f64 t0, d{k}; mov.b64 d{k}, {{t0, m}};",
    "f162f": "mov.b32 {{s0, s1}}, l{k}; cvt.f32.f16 tf, s0; mov.b32 l{k}, tf;",
    "f2f16": "cvt.rn.f16x2.f32 l{k}, ff{k}, x; mov.b32 ff{k}, l{k};",
    "f2bf16": "cvt.rn.bf16x2.f32 l{k}, ff{k}, x; mov.b32 ff{k}, l{k};",
    "f2e4m3": "cvt.rn.satfinite.e4m3x2.f32 s0, ff{k}, x; mov.b32 t0, {{s0, s0}}; mov.b32 ff{k}, t0;",
    "e4m32f16": "mov.b32 {{s0, s1}}, l{k}; cvt.rn.f16x2.e4m3x2 l{k}, s0;",
    "hfma2": "fma.rn.f16x2 l{k}, l{k}, y, y;",
    "hadd2": "add.f16x2 l{k}, l{k}, y;",
    "hmin2": "min.f16x2 l{k}, l{k}, y; max.f16x2 l{k}, l{k}, m;",
    "bfma2": "fma.rn.bf16x2 l{k}, l{k}, y, y;",
    "dfma": "fma.rn.f64 d{k}, d{k}, x64, x64;",
    "dadd": "add.f64 d{k}, d{k}, x64;",
    "dselect": "setp.lt.f64 q, d{k}, x64; selp.f64 d{k}, z64, x64, q;",
    "vote": "setp.ne.s32 q, l{k}, y; vote.sync.ballot.b32 l{k}, q, 0xffffffff;",
    "any": "setp.ne.s32 q, l{k}, y; vote.sync.any.pred q, q, 0xffffffff; selp.s32 l{k}, m, y, q;",
    "redux": "redux.sync.add.s32 l{k}, l{k}, 0xffffffff;",
    "shuffle": "shfl.sync.bfly.b32 h{k}, h{k}, 1, 31, 0xffffffff;",
    "lds": "ld.shared.u32 a{k}, [a{k}];",
    "sts": "st.shared.u32 [own+{k4}], l{k};",
    "ldg": "ld.global.u64 ga{k}, [ga{k}];",
    "lea": "shl.b32 t0, l{k}, 3; add.s32 l{k}, t0, y;",
}
# The registers of the chains that each needs, beyond scratch.
BESIDE = {
    "none": [0],
    "ffma": [1, 2, 4, 8],
    "logic": [1, 2, 4],
    "imad": [1, 2],
    "lds": [1, 2],
    "ldg": [1],
    "ex2": [1],
    "hfma2": [1, 2, 4],
    "dfma": [1, 2],
    "high": [1],
    "wide": [1],
}
TRIPLES = [("ffma", 1, "logic", 1), ("ffma", 2, "logic", 1), ("ffma", 2, "logic", 2), ("ffma", 4, "logic", 2), ("ffma", 2, "logic", 4),
           ("ffma", 2, "lds", 1), ("logic", 2, "lds", 1), ("ffma", 2, "ex2", 1), ("logic", 2, "imad", 2)]
TRIPLE_OF = ["high", "wide", "wide_unsigned", "imad", "f2i64", "popc", "hfma2", "dfma", "ex2", "dp4a", "f2i"]

HEAD = """.version 8.0
.target sm_90
.address_size 64
.shared .align 16 .b8 room[33792];
"""

PROLOGUE = """.visible .entry {name}(.param .u64 out, .param .u64 sink, .param .u64 chase, .param .u32 turns, .param .u32 much)
.maxntid 1024, 1, 1
{{
.reg .pred q, r;
.reg .b16 s0, s1;
.reg .b32 t0, t1, t2, m, y, i, n, tid, own, sum, base;
.reg .b32 l<8>, h<8>, a<8>, xl<8>, xh<8>, xa<8>;
.reg .f32 x, z, tf, total;
.reg .f32 ff<8>, g<8>, xff<8>, xg<8>;
.reg .f64 x64, z64, d<8>, xd<8>, dsum;
.reg .b64 c64, p<8>, ga<8>, xp<8>, xga<8>, begin, end, to, psum;
mov.u32 tid, %tid.x;
ld.param.u32 m, [much];
ld.param.u32 n, [turns];
mad.lo.s32 y, m, 17, 5;
cvt.rn.f32.u32 x, m;
add.f32 z, x, x;
cvt.rn.f64.u32 x64, m;
add.f64 z64, x64, x64;
ld.param.u64 c64, [sink];
mov.u32 base, room;
mad.lo.u32 own, tid, 4, base;
add.u32 base, base, 32768;
"""


# By kind of a chain's register: how it begins, and how it is added up.
STARTS = {
    "l": ["mad.lo.u32 l{k}, tid, {k3}, m;"],
    "h": ["mad.lo.u32 h{k}, tid, {k5}, y;"],
    "ff": ["mad.lo.u32 t0, tid, {k3}, m;", "cvt.rn.f32.u32 ff{k}, t0;"],
    "g": ["mad.lo.u32 t0, tid, {k5}, y;", "cvt.rn.f32.u32 g{k}, t0;"],
    "d": ["mad.lo.u32 t0, tid, {k3}, m;", "cvt.rn.f64.u32 d{k}, t0;"],
    "p": ["mad.lo.u32 t0, tid, {k5}, y;", "mul.wide.u32 p{k}, t0, y;"],
    "a": ["and.b32 t0, tid, 31;", "mad.lo.u32 a{k}, t0, 4, base;", "add.u32 a{k}, a{k}, {k128};",
          "st.shared.u32 [a{k}], a{k};"],
    "ga": ["ld.param.u64 to, [chase];", "and.b32 t0, tid, 31;", "mad.wide.u32 ga{k}, t0, 8, to;",
           "add.u64 ga{k}, ga{k}, {k256};"],
}
ENDS = {
    "l": ["add.u32 sum, sum, l{k};"], "h": ["add.u32 sum, sum, h{k};"], "a": ["add.u32 sum, sum, a{k};"],
    "ff": ["add.f32 total, total, ff{k};"], "g": ["add.f32 total, total, g{k};"], "d": ["add.f64 dsum, dsum, d{k};"],
    "p": ["add.u64 psum, psum, p{k};"], "ga": ["add.u64 psum, psum, ga{k};"],
}


for rows in (STARTS, ENDS):
    for kind in list(rows):
        rows["x" + kind] = [re.sub(rf"\b{kind}\{{k\}}", f"x{kind}{{k}}", line) for line in rows[kind]]


def apart(text):
    """The same operation on chains that no other kind of operation goes on with."""
    return re.sub(r"\b(l|h|ff|g|d|p|a|ga)\{(k|next)\}", r"x\1{\2}", text)


def kinds_of(used):
    return [kind for kind in STARTS if any(re.search(rf"\b{kind}\{{k\}}", text) for text in used)]


def of_chains(rows, used):
    return [line.format(k=k, k3=k + 3, k5=k + 5, k256=256 * k, k128=128 * k)
            for kind in kinds_of(used) for k in range(CHAINS) for line in rows[kind]]


def kernel(name, first, beside):
    """One operation and, of each other one, so many; which chain each goes on with turns round."""
    size = 1 + sum(count for _, count in beside)
    rounds = max(8, 128 // size // 8 * 8)
    body, turn = [], {}
    text_of = {op: OPS[op] for op, _ in beside}
    text_of[first] = apart(OPS[first])

    def add(op):
        k = turn.get(op, 0)
        turn[op] = (k + 1) % CHAINS
        body.append(text_of[op].format(k=k, k4=4096 * k, next=(k + 1) % CHAINS))

    for _ in range(rounds):
        add(first)
        left = [[op, count] for op, count in beside]
        while any(count for _, count in left):
            for entry in left:
                if entry[1]:
                    add(entry[0])
                    entry[1] -= 1
    used = list(text_of.values())
    lines = [PROLOGUE.format(name=name)] + of_chains(STARTS, used)
    lines += ["mov.u32 i, 0;", "bar.sync 0;", "mov.u64 begin, %clock64;", "again:"] + body
    lines += ["add.u32 i, i, 1;", "setp.lt.u32 r, i, n;", "@r bra again;", "bar.sync 0;", "mov.u64 end, %clock64;",
              "sub.u64 end, end, begin;", "mov.f32 total, 0f00000000;", "mov.u32 sum, 0;", "mov.f64 dsum, 0d0000000000000000;",
              "mov.u64 psum, 0;"]
    lines += of_chains(ENDS, used)
    lines += ["cvt.rn.f32.f64 tf, dsum;", "add.f32 total, total, tf;", "mov.b64 {t0, t1}, psum;", "add.u32 sum, sum, t0;",
              "xor.b32 sum, sum, t1;", "mov.b32 t0, total;", "xor.b32 sum, sum, t0;",
              "ld.param.u64 to, [sink];", "setp.eq.u32 r, sum, 123456789;", "@r st.global.u32 [to], sum;",
              "setp.ne.u32 r, tid, 0;", "@r bra done;", "ld.param.u64 to, [out];", "st.global.u64 [to], end;", "done:", "ret;", "}"]
    return "\n".join(lines) + "\n", rounds


def mixes():
    for op in OPS:
        for beside, counts in BESIDE.items():
            for count in counts:
                if beside == op:
                    continue
                yield op, [(beside, count)] if count else []
    for op in TRIPLE_OF:
        for a, m, b, n in TRIPLES:
            if op not in (a, b):
                yield op, [(a, m), (b, n)]


def main(folder):
    texts = [HEAD] * PARTS
    with open(folder + "/plan.txt", "w") as plan:
        for number, (op, beside) in enumerate(mixes()):
            name = f"k{number}"
            text, rounds = kernel(name, op, beside)
            texts[number % PARTS] += text
            plan.write(f"{number % PARTS} {name} {rounds} {op} {'+'.join(f'{b}*{c}' for b, c in beside) or 'none'}\n")
    for part, text in enumerate(texts):
        with open(f"{folder}/mixes_{part}.ptx", "w") as file:
            file.write(text)


main(sys.argv[1])
