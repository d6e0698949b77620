#!/usr/bin/env python3
"""How the time of an answer grows with the length of the PTX.

usage: growth.py FOREWARP SOURCE [--quick] [--only SHAPE,...] [--command COMMAND,...] [--most N]
       [--write FOLDER] [--limit SECONDS]

Each shape is a kernel in which one thing is there n times: a branch, a load, a nested loop, a line
of a real kernel.  Without --quick, n doubles; where the processor time of a command counts (1.5 s), it
may grow like n^1.4 at most, up to --most lines (20,000), and a command may take --limit seconds.
With --quick, some shapes have one size each, and one generous limit.  --write leaves the inputs in a
folder."""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

HEAD = '.version 8.0\n.target sm_90\n.address_size 64\n'
PARAMETERS = '(.param .u64 a, .param .u64 b, .param .u32 n, .param .u32 m)'
REGISTERS = '.reg .pred %p<{0}>; .reg .b32 %r<{0}>; .reg .f32 %f<{0}>; .reg .b64 %rd<{0}>;\n'
START = '''ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[b]; ld.param.u32 %r1,[n]; ld.param.u32 %r2,[m];
cvta.to.global.u64 %rd1,%rd1; cvta.to.global.u64 %rd2,%rd2;
mov.u32 %r3,%tid.x; mov.u32 %r4,%ctaid.x; mov.u32 %r5,%ntid.x; mad.lo.s32 %r6,%r4,%r5,%r3;
setp.lt.s32 %p1,%r6,%r1; setp.eq.s32 %p2,%r3,0; mov.f32 %f1,0f3F800000; mov.f32 %f2,%f1;
mul.wide.s32 %rd3,%r6,4; add.s64 %rd4,%rd1,%rd3; add.s64 %rd5,%rd2,%rd3;
'''
END = 'st.global.f32 [%rd5],%f1;\nret;\n'


def kernel(body, registers=64, before='', declarations='', end=END):
    """A module with one kernel, whose first registers hold arguments, indices and addresses."""
    return (HEAD + before + f'.visible .entry k{PARAMETERS} {{\n' + declarations +
            REGISTERS.format(registers) + START + ''.join(body) + end + '}\n')


def line(text, **how):
    """One line, n times."""
    return lambda n: kernel([text + '\n'] * n, **how)


def lines(text, **how):
    """One line, n times: {i} is its number, {h} the one before, {o} 4 times it, {far} 1048576 times;
    registers from 10 on."""
    return lambda n: kernel((text.format(i=i + 10, h=i + 9, o=4 * i, far=1048576 * i) + '\n'
                             for i in range(n)),
                            registers=n + 20, **how)


SHARED = '.shared .align 16 .b8 s[4096];\nmov.u32 %r7,s; shl.b32 %r8,%r3,2; add.s32 %r7,%r7,%r8;\n'


def shared(text):
    return lambda n: kernel(['.shared .align 16 .b8 s[4096];\nmov.u32 %r7,s; shl.b32 %r8,%r3,2;\n',
                             'add.s32 %r7,%r7,%r8;\n'] + [text + '\n'] * n)


def nested_loops(n):
    body = [f'mov.u32 %r{i + 10},0;\n$L{i}:\n' for i in range(n)]
    body += ['add.f32 %f1,%f1,%f2;\n']
    body += [f'add.u32 %r{i + 10},%r{i + 10},1; setp.lt.u32 %p{i + 10},%r{i + 10},%r1;\n'
             f'@%p{i + 10} bra $L{i};\n' for i in reversed(range(n))]
    return kernel(body, registers=n + 20)


def loops(n, bound='%r1', work='add.f32 %f1,%f1,%f2;'):
    return kernel([f'mov.u32 %r10,0;\n$L{i}: {work} add.u32 %r10,%r10,1;\n'
                   f'setp.lt.u32 %p3,%r10,{bound}; @%p3 bra $L{i};\n' for i in range(n)])


def early_exits(n):
    """A loop that n conditions leave."""
    body = ['mov.u32 %r10,0;\n$L:\n']
    for i in range(n):
        body.append(f'add.u32 %r11,%r10,{i}; setp.eq.u32 %p3,%r11,%r1; @%p3 bra $end;\n')
    return kernel(body + ['add.u32 %r10,%r10,1; setp.lt.u32 %p3,%r10,%r2; @%p3 bra $L;\n$end:\n'])


def continues(n):
    """A loop with n back edges."""
    body = ['mov.u32 %r10,0;\n$L: add.u32 %r10,%r10,1;\n']
    for i in range(n):
        body.append(f'add.u32 %r11,%r10,{i}; setp.lt.u32 %p3,%r11,%r1; @%p3 bra $L;\n')
    return kernel(body)


def diamonds(n, condition='setp.lt.s32 %p3,%r6,{i};', opposite='add.f32 %f1,%f1,%f2;'):
    return kernel([condition.format(i=i) + f' @%p3 bra $A{i}; {opposite} bra $B{i};\n'
                   f'$A{i}: mul.f32 %f1,%f1,%f2;\n$B{i}:\n' for i in range(n)])


def merged_values(n):
    """Diamonds whose integer result is the next one's condition."""
    body = ['mov.u32 %r10,%r6;\n']
    for i in range(n):
        body.append(f'setp.lt.s32 %p3,%r10,%r1; @%p3 bra $A{i}; add.s32 %r10,%r10,1; bra $B{i};\n'
                    f'$A{i}: add.s32 %r10,%r10,2;\n$B{i}:\n')
    return kernel(body + ['mul.wide.s32 %rd6,%r10,4; add.s64 %rd7,%rd1,%rd6;\n',
                          'ld.global.f32 %f1,[%rd7];\n'])


def nested_diamonds(n):
    body = [f'setp.lt.s32 %p3,%r6,{i}; @%p3 bra $A{i};\n' for i in range(n)]
    body += ['add.f32 %f1,%f1,%f2;\n']
    body += [f'bra $B{i};\n$A{i}: mul.f32 %f1,%f1,%f2;\n$B{i}:\n' for i in reversed(range(n))]
    return kernel(body)


def guards_return(n):
    """n conditions, each of which ends a thread."""
    return kernel([f'setp.eq.s32 %p3,%r6,{i}; @%p3 ret;\n' for i in range(n)])


def many_exits(n):
    """n conditions on different arguments that lead to one place."""
    return kernel([f'setp.gt.s32 %p3,%r{1 + i % 2},{i}; @%p3 bra $end;\nadd.f32 %f1,%f1,%f2;\n'
                   for i in range(n)] + ['$end:\n'])


def chain(n):
    return kernel([f'add.s32 %r{i + 10},%r{i + 9 if i else 6},%r{1 + i % 2};\n' for i in range(n)] +
                  [f'mul.wide.s32 %rd6,%r{n + 9},4; add.s64 %rd7,%rd1,%rd6;\n',
                   'ld.global.f32 %f1,[%rd7];\n'], registers=n + 20)


def squares(n):
    """Values that double their own size as expressions."""
    return kernel([f'mul.lo.s32 %r{i + 10},%r{i + 9 if i else 6},%r{i + 9 if i else 6};\n'
                   for i in range(n)] +
                  [f'mul.wide.s32 %rd6,%r{n + 9},4; add.s64 %rd7,%rd1,%rd6;\n',
                   'ld.global.f32 %f1,[%rd7];\n'], registers=n + 20)


def sums(n):
    """A sum of n different terms that is an address."""
    body = ['mov.u32 %r10,%r6;\n']
    for i in range(n):
        body.append(f'shr.u32 %r11,%r6,{1 + i % 30}; mul.lo.s32 %r11,%r11,{i}; '
                    f'xor.b32 %r11,%r11,{i}; add.s32 %r10,%r10,%r11;\n')
    return kernel(body + ['mul.wide.s32 %rd6,%r10,4; add.s64 %rd7,%rd1,%rd6;\n',
                          'ld.global.f32 %f1,[%rd7];\n'])


def selects(n):
    body = ['mov.u32 %r10,%r6;\n']
    for i in range(n):
        body.append(f'setp.lt.s32 %p3,%r10,{3 * i}; selp.b32 %r11,{i},%r10,%p3; '
                    'add.s32 %r10,%r10,%r11;\n')
    return kernel(body + ['mul.wide.s32 %rd6,%r10,4; add.s64 %rd7,%rd1,%rd6;\n',
                          'ld.global.f32 %f1,[%rd7];\n'])


def predicates(n):
    """Conditions of conditions."""
    body = ['mov.pred %p3,%p1;\n']
    for i in range(n):
        body.append(f'setp.lt.s32 %p4,%r6,{i}; {"and" if i % 2 else "or"}.pred %p3,%p3,%p4;\n')
    return kernel(body + ['@%p3 st.global.f32 [%rd4],%f1;\n'])


def live(n):
    body = [f'ld.global.f32 %f{i + 10},[%rd4+{4 * i}];\n' for i in range(n)]
    body += [f'add.f32 %f1,%f1,%f{i + 10};\n' for i in range(n)]
    return kernel(body, registers=n + 20)


def live_over_loop(n):
    """n sums in registers over a loop."""
    body = [f'mov.f32 %f{i + 10},%f1;\n' for i in range(n)] + ['mov.u32 %r10,0;\n$L:\n']
    body += [f'fma.rn.f32 %f{i + 10},%f{i + 10},%f2,%f2;\n' for i in range(n)]
    body += ['add.u32 %r10,%r10,1; setp.lt.u32 %p3,%r10,%r1; @%p3 bra $L;\n']
    return kernel(body + [f'add.f32 %f1,%f1,%f{i + 10};\n' for i in range(n)], registers=n + 20)


def inductions(n):
    """n integers that a loop counts on, each an address."""
    body = [f'mov.u32 %r{i + 10},%r6;\n' for i in range(n)] + ['mov.u32 %r9,0;\n$L:\n']
    body += [f'mul.wide.s32 %rd6,%r{i + 10},4; add.s64 %rd7,%rd1,%rd6; ld.global.f32 %f3,[%rd7];\n'
             f'add.s32 %r{i + 10},%r{i + 10},{i};\n' for i in range(n)]
    body += ['add.u32 %r9,%r9,1; setp.lt.u32 %p3,%r9,%r1; @%p3 bra $L;\n']
    return kernel(body, registers=n + 20)


def coupled(n):
    """Integers of a loop that each takes from the one before."""
    body = [f'mov.u32 %r{i + 10},%r6;\n' for i in range(n)] + ['mov.u32 %r9,0;\n$L:\n']
    body += [f'add.s32 %r{i + 10},%r{i + 10},%r{i + 9};\n' for i in range(1, n)]
    body += ['add.u32 %r9,%r9,1; setp.lt.u32 %p3,%r9,%r1; @%p3 bra $L;\n']
    return kernel(body + [f'mul.wide.s32 %rd6,%r{n + 9},4; add.s64 %rd7,%rd1,%rd6;\n',
                          'ld.global.f32 %f1,[%rd7];\n'], registers=n + 20)


def parameters(n):
    names = ', '.join(f'.param .u64 q{i}' for i in range(n))
    body = ''.join(f'ld.param.u64 %rd1,[q{i}]; ld.global.f32 %f1,[%rd1];\n' for i in range(n))
    return HEAD + f'.visible .entry k({names}) {{\n' + REGISTERS.format(20) + body + 'ret;\n}\n'


def scalars(n):
    """Sums of n arguments."""
    names = ', '.join(f'.param .u32 q{i}' for i in range(n))
    body = ''.join(f'ld.param.u32 %r{2},[q{i}]; add.s32 %r1,%r1,%r2;\n' for i in range(n))
    return (HEAD + f'.visible .entry k({names}, .param .u64 a) {{\n' + REGISTERS.format(20) +
            'mov.u32 %r1,%tid.x; ld.param.u64 %rd1,[a];\n' + body +
            'mul.wide.s32 %rd2,%r1,4; add.s64 %rd3,%rd1,%rd2; ld.global.f32 %f1,[%rd3]; ret;\n}\n')


def entries(n):
    one = PARAMETERS + ' {\n' + REGISTERS.format(20) + START + END + '}\n'
    return HEAD + '.visible .entry k' + one + ''.join(f'.entry k{i}{one}' for i in range(n))


FUNCTION = '''.func (.param .f32 out) f{i}(.param .f32 in) {{
.reg .f32 %f<5>;
{body}ld.param.f32 %f1,[in]; add.f32 %f1,%f1,%f1; st.param.f32 [out],%f1; ret;
}}
'''
CALL = '''{{ .param .f32 x; .param .f32 y; st.param.f32 [x],%f1; call.uni (y),f{i},(x);
ld.param.f32 %f1,[y]; }}
'''


def calls(n):
    return kernel([CALL.format(i=0)] * n, before=FUNCTION.format(i=0, body=''))


def functions(n):
    return kernel([CALL.format(i=i) for i in range(n)],
                  before=''.join(FUNCTION.format(i=i, body='') for i in range(n)))


def call_chain(n):
    """n functions in a chain."""
    before = ''.join(FUNCTION.format(i=i, body=CALL.format(i=i - 1) if i else '') for i in range(n))
    return kernel([CALL.format(i=n - 1)], before=before)


def call_tree(n):
    """n functions that each calls the one before twice: 2^n calls."""
    before = ''.join(FUNCTION.format(i=i, body=2 * CALL.format(i=i - 1) if i else '')
                     for i in range(n))
    return kernel([CALL.format(i=n - 1)], before=before)


def labels(n):
    return kernel([f'$L{i}: add.f32 %f1,%f1,%f2;\n' for i in range(n)])


def irreducible(n):
    """n cycles that can be entered at two places."""
    return kernel([f'setp.lt.s32 %p3,%r6,{i}; @%p3 bra $B{i};\n$A{i}: add.f32 %f1,%f1,%f2;\n'
                   f'$B{i}: add.s32 %r6,%r6,1; setp.lt.s32 %p4,%r6,%r1; @%p4 bra $A{i};\n'
                   for i in range(n)])


def branch_table(n):
    names = ', '.join(f'$L{i}' for i in range(n))
    return kernel([f'$T: .branchtargets {names};\nbrx.idx %r6,$T;\n'] +
                  [f'$L{i}: add.f32 %f1,%f1,%f2; bra $end;\n' for i in range(n)] + ['$end:\n'])


def switch(n):
    """A ladder of comparisons, each of which leads to a case of its own."""
    return kernel([f'setp.eq.s32 %p3,%r3,{i}; @%p3 bra $L{i};\n' for i in range(n)] +
                  ['bra $end;\n'] +
                  [f'$L{i}: add.f32 %f1,%f1,%f2; bra $end;\n' for i in range(n)] + ['$end:\n'])


def forward_branches(n):
    """Branches over one another: block i leads to i + 1 and i + 2."""
    return kernel([f'$L{i}: setp.eq.s32 %p3,%r6,{i}; @%p3 bra $L{i + 2};\nadd.f32 %f1,%f1,%f2;\n'
                   for i in range(n)] + [f'$L{n}:\n$L{n + 1}:\n'])


def back_and_forth(n):
    """Forward branches on loaded data, in a loop."""
    body = ['mov.u32 %r10,0;\n$L:\n']
    for i in range(n):
        body.append(f'ld.global.u32 %r11,[%rd4+{4 * i}]; setp.eq.s32 %p3,%r11,{i}; '
                    f'@%p3 bra $A{i};\nadd.f32 %f1,%f1,%f2;\n$A{i}:\n')
    return kernel(body + ['add.u32 %r10,%r10,1; setp.lt.u32 %p3,%r10,%r2; @%p3 bra $L;\n'])


def slots(n):
    body = [f'st.local.u32 [s+{4 * i}],%r6;\n' for i in range(n)]
    body += [f'ld.local.u32 %r10,[s+{4 * i}]; add.s32 %r11,%r10,%r11;\n' for i in range(n)]
    return kernel(body, declarations=f'.local .align 8 .b8 s[{4 * n + 8}];\n')


def variables(n, space='shared'):
    declared = ''.join(f'.{space} .align 4 .b8 s{i}[4];\n' for i in range(n))
    return kernel([f'st.{space}.f32 [s{i}],%f1;\n' for i in range(n)], declarations=declared)


def module_variables(n):
    return kernel([f'st.global.f32 [s{i}],%f1;\n' for i in range(n)],
                  before=''.join(f'.global .align 4 .b8 s{i}[4];\n' for i in range(n)))


def source_lines(n):
    return kernel(['.file 1 "a.cu"\n'] +
                  [f'.loc 1 {i + 1} 0\nld.global.f32 %f3,[%rd4+{4 * i}];\n' for i in range(n)])


def by_data(n):
    """Addresses, branches and loops that depend on data."""
    return kernel(['.file 1 "a.cu"\n'] + [
        f'.loc 1 {i + 1} 0\nld.global.u32 %r{i + 10},[%rd4+{4 * i}];\n'
        f'mul.wide.s32 %rd6,%r{i + 10},4; add.s64 %rd7,%rd1,%rd6; ld.global.f32 %f3,[%rd7];\n'
        f'setp.eq.s32 %p3,%r{i + 10},0; @%p3 st.global.f32 [%rd7],%f3;\n' for i in range(n)],
        registers=n + 20)


def stencil(n):
    """Loads with different strides."""
    return kernel([f'mad.lo.s32 %r10,%r2,{i},%r6; mul.wide.s32 %rd6,%r10,4; '
                   'add.s64 %rd7,%rd1,%rd6; ld.global.f32 %f3,[%rd7]; add.f32 %f1,%f1,%f3;\n'
                   for i in range(n)])


def strided(n):
    return kernel([f'mul.lo.s32 %r10,%r6,{i + 1}; mul.wide.s32 %rd6,%r10,4; '
                   'add.s64 %rd7,%rd1,%rd6; ld.global.f32 %f3,[%rd7]; add.f32 %f1,%f1,%f3;\n'
                   for i in range(n)])


def loads_in_loops(n):
    """Loops after one another that load."""
    return kernel([f'mov.u32 %r10,0; mov.u64 %rd6,%rd4;\n$L{i}: ld.global.f32 %f3,[%rd6+{4 * i}];\n'
                   'add.s64 %rd6,%rd6,128; add.u32 %r10,%r10,1;\n'
                   f'setp.lt.u32 %p3,%r10,%r1; @%p3 bra $L{i};\n' for i in range(n)])


def modulo(n):
    return kernel([f'rem.s32 %r10,%r6,{i + 2}; setp.eq.s32 %p3,%r10,0; '
                   '@%p3 st.global.f32 [%rd4],%f1;\n' for i in range(n)])


def distinct_conditions(n):
    return kernel([f'setp.lt.s32 %p3,%r6,{i}; @%p3 st.global.f32 [%rd4+{4 * i}],%f1;\n'
                   for i in range(n)])


def repeated(file, number):
    """A real kernel with its line so numbered n times."""
    def text(n):
        at = pathlib.Path(file).read_text().split('\n')
        return '\n'.join(at[:number] + [at[number]] * n + at[number + 1:])
    return text


# name: (text of n, the most n: what nests is deep enough by then)
SHAPES = {
    'branch': (lambda n: kernel(['$L:\n'] + ['@%p1 bra $L;\n'] * n), 20000),
    'branch-forward': (lambda n: kernel(['@%p1 bra $L;\n'] * n + ['$L:\n']), 20000),
    'branch-always': (lambda n: kernel(['bra $L;\n'] * n + ['$L:\n']), 20000),
    'return': (line('@%p1 ret;'), 20000),
    'return-else': (line('@!%p1 ret;'), 20000),
    'nested-loops': (nested_loops, 2000),
    'loops': (loops, 10000),
    'loops-of-thread': (lambda n: loops(n, '%r6'), 10000),
    'early-exits': (early_exits, 10000),
    'continues': (continues, 10000),
    'diamonds': (diamonds, 10000),
    'diamonds-alike': (lambda n: diamonds(n, ''.join(['setp.lt.s32 %p3,%r6,%r1;'])), 10000),
    'merged-values': (merged_values, 10000),
    'nested-diamonds': (nested_diamonds, 10000),
    'exits-of-threads': (guards_return, 10000),
    'exits-to-one-place': (many_exits, 10000),
    'arithmetic': (line('fma.rn.f32 %f1,%f1,%f2,%f2;'), 40000),
    'integers': (line('mad.lo.s32 %r6,%r6,%r1,%r2;'), 20000),
    'loads': (line('ld.global.f32 %f1,[%rd4];'), 20000),
    'loads-apart': (lines('ld.global.f32 %f3,[%rd4+{o}];'), 20000),
    'loads-far-apart': (lines('mov.u64 %rd6,{far}; add.s64 %rd7,%rd4,%rd6; '
                              'ld.global.f32 %f3,[%rd7];'), 10000),
    'stores': (line('st.global.f32 [%rd4],%f1;'), 20000),
    'stores-apart': (lines('st.global.f32 [%rd4+{o}],%f1;'), 20000),
    'stores-of-vectors': (lines('st.global.v4.f32 [%rd4+{o}],{{%f1,%f1,%f1,%f1}};'), 20000),
    'shared-loads': (shared('ld.shared.f32 %f1,[%r7];'), 20000),
    'shared-stores': (shared('st.shared.f32 [%r7],%f1;'), 20000),
    'barriers': (line('bar.sync 0;'), 20000),
    'barriers-and-shared': (shared('st.shared.f32 [%r7],%f1; bar.sync 0; ld.shared.f32 %f1,[%r7];'),
            10000),
    'atomics': (line('atom.global.add.f32 %f1,[%rd4],%f2;'), 20000),
    'reductions': (line('red.global.add.f32 [%rd4],%f2;'), 20000),
    'shuffles': (line('shfl.sync.bfly.b32 %r6,%r6,1,31,-1;'), 20000),
    'predicated': (line('@%p1 add.f32 %f1,%f1,%f2;'), 20000),
    'predicated-loads': (line('@%p1 ld.global.f32 %f1,[%rd4];'), 20000),
    'predicated-apart': (distinct_conditions, 10000),
    'predicated-modulo': (modulo, 5000),
    'divisions': (line('div.s32 %r6,%r6,%r1;'), 20000),
    'remainders': (line('rem.s32 %r6,%r6,7;'), 20000),
    'shifts': (line('xor.b32 %r6,%r6,%r1;'), 20000),
    'copies': (lines('cp.async.ca.shared.global [s],[%rd4],4;',
                     declarations='.shared .align 16 .b8 s[64];\n'), 20000),
    'chain': (chain, 20000),
    'squares': (squares, 10000),
    'sums': (sums, 10000),
    'selects': (selects, 5000),
    'predicates': (predicates, 5000),
    'live': (live, 20000),
    'live-over-loop': (live_over_loop, 10000),
    'inductions': (inductions, 5000),
    'coupled': (coupled, 10000),
    'parameters': (parameters, 8000),
    'scalars': (scalars, 8000),
    'entries': (entries, 10000),
    'calls': (calls, 10000),
    'functions': (functions, 10000),
    'call-chain': (call_chain, 1000),
    'call-tree': (call_tree, 60),
    'labels': (labels, 20000),
    'irreducible': (irreducible, 10000),
    'branch-table': (branch_table, 10000),
    'switch': (switch, 10000),
    'forward-branches': (forward_branches, 5000),
    'branches-on-data': (back_and_forth, 5000),
    'slots': (slots, 10000),
    'shared-variables': (variables, 10000),
    'local-variables': (lambda n: variables(n, 'local'), 10000),
    'module-variables': (module_variables, 10000),
    'source-lines': (source_lines, 20000),
    'by-data': (by_data, 5000),
    'stencil': (stencil, 5000),
    'strided': (strided, 5000),
    'loads-in-loops': (loads_in_loops, 5000),
}
# For --quick: sizes at which the work of what was once cubic or quadratic takes a minute and more.
QUICK = {'branch': 6000, 'nested-loops': 400, 'continues': 6000, 'predicated-apart': 8000,
         'inductions': 3000, 'early-exits': 1000, 'by-data': 300, 'strided': 1500,
         'loads-far-apart': 2100, 'predicated-modulo': 600, 'merged-values': 200}
# For --quick: what an answer says of itself, in text and JSON, where it is bounded by a budget.
SAYS = {'strided': 'Accesses touch more than 1024 boxes of a: their volumes are upper bounds',
        'predicated-modulo': 'too many to sample ('}
COMMANDS = {
    'count': ['-g', '16', '-b', '128'],
    'formulas': ['-b', '128'],  # count without a grid and arguments
    'predict': ['-g', '16', '-b', '128', '-d', 'h200'],
    'traffic': ['-g', '16', '-b', '128', '-d', 'h200'],
    'rank': ['-g', '16', '--vary', 'block=128x1x1', '-d', 'h200'],
}


def real_lines(source):
    """Lines of a few real kernels, one in so many, each to be repeated."""
    shapes = {}
    for name in ('kernels/matmul_tiled', 'kernels/reduce', 'kernels/histogram', 'triton/attention',
                 'triton/softmax_rows'):
        file = pathlib.Path(source) / f'tests/golden/{name}.ptx'
        text = file.read_text().split('\n')
        first = next(i for i, at in enumerate(text) if at.startswith('{'))
        wanted = [i for i in range(first, len(text))
                  if re.match(r'^\s*(@!?%\w+\s+)?[a-z][\w.:]*\s.*;\s*(//.*)?$', text[i])]
        seen = set()
        for i in wanted:
            opcode = re.sub(r'^\s*(@)?.*?([a-z][a-z0-9]*)[.\s].*', r'\1\2', text[i])
            if opcode not in seen:
                seen.add(opcode)
                shapes[f'{name.split("/")[1]}:{i + 1}'] = (repeated(file, i), 20000)
    return shapes


def arguments(text):
    """What a launch needs to be told: the arguments that have no value."""
    name = re.search(r'\.entry\s+(\w+)\s*\(([^)]*)\)', text)
    given = ['-k', name.group(1)]
    for position, at in enumerate(name.group(2).split(',')):
        if not at.strip() or '.ptr' in at or not re.search(r'\.[usbf](32|64)\b', at):
            continue
        if re.search(r'\.[usb]32\b', at):
            given += ['-s', f'{position}=4096']
    return given


class Growth:
    def __init__(self, options, folder):
        self.options, self.folder, self.failures = options, folder, 0

    def seconds(self, command, path, given, limit):
        """Processor time of one command, and what it printed; None: stopped at the limit."""
        words = [self.options.program, command if command != 'formulas' else 'count', path]
        words += COMMANDS[command] + (given[:2] if command == 'formulas' else given)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=3 * limit + 30,
                                  preexec_fn=lambda: resource.setrlimit(
                                      resource.RLIMIT_CPU, (int(limit + 1), int(limit + 1))))
        except subprocess.TimeoutExpired:
            return None, 'stopped by the clock'
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        if done.returncode in (-24, -9):
            return None, 'stopped at the limit of time'
        if done.returncode not in (0, 1, 3) and 'too much registers' not in done.stderr:
            return None, f'exit status {done.returncode}: {done.stderr[-600:]}'
        if done.returncode and 'error' not in done.stderr:
            return None, f'exit status {done.returncode} in silence'
        return spent, (done.stderr.split('\n') + [''])[0][:150] if done.returncode else ''

    def fail(self, what):
        self.failures += 1
        print('FAIL', what, flush=True)

    def input(self, name, text, n):
        """The path of an input, and what its launch is told."""
        path = os.path.join(self.folder, f'{name.replace(":", "-")}-{n}.ptx')
        if not os.path.exists(path):
            pathlib.Path(path).write_text(text(n))
        return path, arguments(pathlib.Path(path).read_text())

    def at(self, name, text, n, command):
        return self.seconds(command, *self.input(name, text, n), self.options.limit)

    def says(self, name, text, n):
        """Whether the answer names its bound."""
        path, given = self.input(name, text, n)
        for form in [], ['--json']:
            words = [self.options.program, 'traffic', path] + COMMANDS['traffic'] + given + form
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if SAYS[name] not in done.stdout:
                self.fail(f'{name} n={n} {" ".join(form)} does not say: {SAYS[name]}')

    def quick(self, name, text, n):
        if name in SAYS:
            self.says(name, text, n)
        for command in self.options.commands:
            seconds, why = self.at(name, text, n, command)
            if seconds is None:
                self.fail(f'{name} n={n} {command}: {why}')
            elif self.options.verbose:
                print(f'{name} n={n} {command} {seconds:.2f} s {why}', flush=True)

    def formulas(self):
        """Rows of a kernel of too many arguments say why they have no formula."""
        path, given = self.input('scalars', scalars, 600)
        words = [self.options.program, 'count', path, '-b', '128', '--json'] + given[:2]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if '"no_formula": "budget"' not in done.stdout:
            self.fail('scalars n=600 does not say that its formulas are beyond the budget')

    def long(self, name, text, most):
        for command in self.options.commands:
            n, before, last, row = min(most, 50), 0, None, []
            while True:
                seconds, why = self.at(name, text, n, command)
                if seconds is None:
                    self.fail(f'{name} n={n} {command}: {why}')
                    break
                row.append(f'{n}: {seconds:.2f}')
                if last and seconds > 1.5 and seconds > (n / before) ** 1.4 * last * 1.2:
                    self.fail(f'{name} {command} grows too fast: {", ".join(row)} {why}')
                    break
                if n >= most:
                    break
                before, last, n = n, seconds if n > 50 else None, min(2 * n, most)
            print(f'{name} {command} {", ".join(row)} {why}', flush=True)


def main():
    read = argparse.ArgumentParser()
    read.add_argument('program')
    read.add_argument('source')
    read.add_argument('--quick', action='store_true')
    read.add_argument('--verbose', action='store_true')
    read.add_argument('--only', default='')
    read.add_argument('--command', default=','.join(COMMANDS))
    read.add_argument('--most', type=int, default=20000)
    read.add_argument('--limit', type=float, default=10)
    read.add_argument('--write')
    options = read.parse_args()
    options.commands = ['traffic'] if options.quick else options.command.split(',')
    shapes = SHAPES if options.quick else {**SHAPES, **real_lines(options.source)}
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.write or scratch
        os.makedirs(folder, exist_ok=True)
        growth = Growth(options, folder)
        if options.quick:
            growth.formulas()
        for name, (text, most) in shapes.items():
            if options.only and not any(re.fullmatch(o, name) for o in options.only.split(',')):
                continue
            if options.quick and name in QUICK:
                growth.quick(name, text, QUICK[name])
            elif not options.quick:
                growth.long(name, text, min(most, options.most))
    return 1 if growth.failures else 0


if __name__ == '__main__':
    sys.exit(main())
