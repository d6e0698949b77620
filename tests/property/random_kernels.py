#!/usr/bin/env python3
"""Random CUDA kernels: static counts against the emulator's.

usage: random_kernels.py STATIC_COUNTS COMPILER DATA [SEED [KERNELS [FOREWARP]]]

Writes KERNELS kernels of loops, branches, early exits and integer arithmetic in every mixture that a
seed gives (printed; FOREWARP_SEED overrides it), compiles them (nvcc or clang; exit status 77 without
it) and lets static-counts compare instruction by instruction.  What the record names as unknown may
differ; what it calls exact must be.  Some kernels have code that no path leads to (behind exit, ret,
jumps), and traps and endless loops that no thread comes to: with FOREWARP, the program, these are
predicted by all models, too, which must answer."""
import json
import os
import random
import subprocess
import sys
import tempfile


class Writer:
    """One kernel's body; expressions over its arguments, indices and variables in scope."""

    def __init__(self, chance):
        self.chance = chance
        self.variables = []
        self.names = 0
        self.lines = []
        self.indent = 1
        self.statements = chance.randint(4, 14)
        self.depth_of_loops = 0
        self.planar = chance.random() < .3
        self.uniform = False  # expressions are the same for all threads of a block
        self.returns = True  # a thread may leave early
        self.ends = chance.random() < .6  # there are traps, endless loops, code that is not reached

    def emit(self, text):
        self.lines.append('    ' * self.indent + text)

    def atom(self):
        numbers = [0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 63, 64, 100]
        choices = ['n', 'm', '(int)blockIdx.x', str(self.chance.choice(numbers))]
        if not self.uniform:
            choices += ['(int)threadIdx.x', 'g']
        if self.planar and not self.uniform:
            choices.append('(int)threadIdx.y')
        return self.chance.choice(choices + 2 * self.variables)

    def expression(self, depth=2):
        c = self.chance
        if depth == 0 or c.random() < .3:
            return self.atom()
        a = self.expression(depth - 1)
        kind = c.randint(0, 11)
        if kind <= 2:
            return f'({a} + {self.expression(depth - 1)})'
        if kind <= 4:
            return f'({a} - {self.expression(depth - 1)})'
        if kind == 5:
            return f'({a} * {c.choice([2, 3, 4, 5, 8])})'
        if kind == 6:
            return f'({a} / {c.choice([2, 3, 4, 7, 8, 16])})'
        if kind == 7:
            return f'({a} % {c.choice([2, 3, 4, 5, 8, 16])})'
        if kind == 8:
            return f'({a} >> {c.choice([1, 2, 3])})'
        if kind == 9:
            return f'({a} & {c.choice([1, 3, 7, 15, 31])})'
        if kind == 10:
            return f'{c.choice(["min", "max"])}({a}, {self.expression(depth - 1)})'
        return f'({self.condition(0)} ? {a} : {self.expression(depth - 1)})'

    def condition(self, depth=1):
        c = self.chance
        kind = c.randint(0, 9)
        if depth and kind <= 1:
            return f'({self.condition(0)} {"&&" if kind else "||"} {self.condition(0)})'
        if kind == 2:
            return f'(({self.expression(1)}) % {c.choice([2, 3, 4])} == {c.choice([0, 1])})'
        if kind == 3:
            return f'((unsigned)({self.expression(1)}) < (unsigned){self.atom()})'
        if kind == 4 and c.random() < .4:  # no affine condition
            a, b = self.atom(), self.atom()
            return c.choice([f'(({a} * {b}) % {c.choice([3, 7, 10])} < {c.choice([1, 2, 4])})',
                             f'((({a} ^ {b}) & 1) == 0)', f'({a} * {a} + {b} * {b} < {c.choice([50, 1000])})',
                             f'(__popc({a}) % 2 == 0)', f'(({a} >> ({b} & 3)) & 1)',
                             f'((int)sqrtf((float)({a} & 1023)) < {b})', f'((float){a} * 0.37f < (float){b})',
                             f'(__clz({a} * 77) > {c.choice([20, 25, 31])})',
                             f'(floorf((float){a} / 3.0f) >= fabsf((float){b}))'])
        order = c.choice(['<', '<=', '>', '>=', '==', '!='])
        return f'({self.expression(1)} {order} {self.expression(1)})'

    def work(self):
        self.emit(self.chance.choice([
            f'acc += a[({self.expression(1)}) & 4095];', f'acc = acc * 1.5f + {self.atom()};',
            f'out[({self.expression(1)}) & 4095] = acc;', f'q += {self.expression(1)};']))

    def block(self, depth, last=()):
        known = len(self.variables)
        self.emit('{')
        self.indent += 1
        for _ in range(self.chance.randint(1, 3)):
            self.statement(depth)
        for line in last:
            self.emit(line)
        self.indent -= 1
        self.emit('}')
        del self.variables[known:]

    def new_name(self):
        self.names += 1
        return f'v{self.names}'

    def switch(self):
        self.emit(f'switch (({self.expression(1)}) & 3) {{')
        for case in self.chance.sample(range(4), self.chance.randint(2, 4)):
            self.emit(f'case {case}:')
            self.work()
            if self.chance.random() < .8:
                self.emit('break;')
        self.emit('}')

    def chain(self, depth):
        for number in range(self.chance.randint(2, 4)):
            self.emit(f'{"else " if number else ""}if ({self.condition()})')
            self.block(depth - 1)
        self.emit('else')
        self.block(depth - 1)

    def ring(self):
        """A position that wraps around, or nearly does: its name, and what an iteration ends with."""
        c, p = self.chance, self.new_name()
        n = c.choice([2, 3, 4, 7, 8, 12, 16])
        step = c.choice([1, 1, 1, 2, 3, 5])
        start = c.choice(['0', '0', '0', str(c.randrange(n)), '-1', f'({self.atom()}) & {n - 1}', self.atom()])
        self.emit(f'{c.choice(["int", "int", "unsigned"])} {p} = {start};')
        return p, c.choice([
            [f'{p} = ({p} + {step}) % {n};'], [f'{p} = ({p} + {step}) & {c.choice([1, 3, 7, 15])};'],
            [f'{p} += {step};', f'if ({p} >= {n}) {p} -= {n};'], [f'if (++{p} == {n}) {p} = 0;'],
            [f'if (++{p} >= {c.choice([n, n, "m"])}) {p} = 0;'], [f'{p} += {step};', f'if ({p} == {n}) {p} = 0;'],
            [f'{p} = {p} == 0 ? {n - 1} : {p} - 1;'], [f'{p} ^= 1;'], [f'if ({self.condition(0)}) {p} = ({p} + 1) % {n};'],
            [f'if (++{p} == {n}) {{ {p} = 0; q ^= 1; }}']])

    def loop(self, depth):
        c, v = self.chance, self.new_name()
        known, (position, last) = len(self.variables), self.ring() if c.random() < .3 else ('', ())
        low = c.choice(['0', '0', '1', self.atom(), self.expression(1)])
        high = c.choice(['n', 'm', self.atom(), self.expression(1), self.expression(2)])
        step = c.choice(['1', '1', '1', '2', '3', '4', '7', 'step'])
        if c.random() < .25:
            self.emit(f'#pragma unroll {c.choice([1, 2, 4])}')
        name, kind = v, c.randint(0, 9)
        if self.uniform and kind == 8:
            kind = 0
        if kind <= 3:
            self.emit(f'for (int {v} = {low}; {v} {c.choice(["<", "<="])} {high}; {v} += {step})')
        elif kind == 4:
            self.emit(f'for (int {v} = {high}; {v} {c.choice([">", ">="])} {low}; {v} -= {step})')
        elif kind == 5:
            self.emit(f'for (unsigned {v} = min({high}, 50) > 0 ? min({high}, 50) : 0; {v}-- > 0;)')
            name = f'(int){v}'
        elif kind == 6:
            self.emit(f'for (int {v} = {high}; {v} > 0; {v} {c.choice([">>= 1", "/= 2", "/= 3"])})')
        elif kind == 7:
            self.emit(f'for (int {v} = 1; {v} < {high}; {v} {c.choice(["*= 2", "<<= 1"])})')
        elif kind == 8:
            self.emit(f'for (unsigned {v} = g; {v} < (unsigned)n; {v} += blockDim.x * gridDim.x)')
            name = f'(int){v}'
        else:
            self.emit(f'for (int {v} = {low}; {v} < {high} && {self.condition(0)}; {v} += {step})')
        if position:  # which a bound of the loop does not depend on: it would not end
            self.variables.append(f'(int){position}')
        self.variables.append(name)
        self.depth_of_loops += 1
        self.block(depth - 1, last)
        self.depth_of_loops -= 1
        self.variables.remove(name)
        if c.random() < .5:  # or the position goes on behind the loop
            del self.variables[known:]

    def meeting(self, depth):
        """Work of a whole block: barriers and exchanges where all threads come by together."""
        c = self.chance
        self.uniform = True
        kind = c.randint(0, 3) if depth else c.randint(2, 3)
        if kind == 0:
            self.loop(depth)
        elif kind == 1:
            self.emit(f'if ({self.condition()})')
            self.block(depth - 1)
        elif kind == 2:
            self.uniform = False
            self.emit(f'tile[({self.expression(1)}) & 63] = acc;')
            self.emit('__syncthreads();')
            self.emit(f'acc += tile[({self.expression(1)}) & 63];')
            self.emit('__syncthreads();')
        else:
            self.emit(f'acc += __shfl_xor_sync(0xffffffffu, acc, {c.choice([1, 2, 16])});')
        self.uniform = False

    def end(self):
        """What no thread comes to, and what no path leads to."""
        c = self.chance
        kind = c.randint(0, 4 if self.returns else 2)
        if kind == 0:
            self.emit(f'if ({c.choice(["n < 0", "m > 1000", "step == 0"])})')
            self.emit('    ' + c.choice(['asm volatile("trap;");', '__trap();', 'asm volatile("exit; trap;");']))
        elif kind == 1:
            self.emit(f'if ({c.choice(["n < 0", "m > 1000", "step == 0"])})')
            self.emit('    ' + c.choice(['for (;;) *(volatile float *)out = acc;',
                                         'asm volatile("{\\n$again: bra $again;\\n}");']))
        elif kind == 2:
            self.emit('asm volatile("{\\nbra $over;\\nadd.f32 %0, %0, 0f3F800000;\\n$over:\\n}" : "+f"(acc));')
        elif kind == 3:
            self.emit(f'if ({self.condition()})')
            self.emit('    ' + c.choice(['asm volatile("exit;");', 'asm volatile("ret;\\nret;");',
                                         'asm volatile("exit;\\nbar.sync 0;\\ntrap;");']))
        else:
            self.emit(c.choice(['asm volatile("exit;");', 'asm volatile("ret;");']))
        self.work()

    def statement(self, depth):
        if self.uniform:
            self.meeting(depth)
            self.uniform = True
            return
        self.statements -= 1
        kind = self.chance.random()
        if depth == 0 or self.statements < 0 or kind < .3:
            self.work()
        elif kind < .38:
            v = self.new_name()
            self.emit(f'int {v} = {self.expression(2)};')
            self.variables.append(v)
            self.work()
        elif kind < .55:
            self.emit(f'if ({self.condition()})')
            self.block(depth - 1)
            if self.chance.random() < .5:
                self.emit('else')
                self.block(depth - 1)
        elif kind < .60 and self.depth_of_loops:
            self.emit(f'if ({self.condition()}) {self.chance.choice(["break", "continue"])};')
            self.work()
        elif kind < .62 and self.returns:
            self.emit(f'if ({self.condition()}) return;')
        elif kind > .78 and self.ends:
            self.end()
        elif kind < .66:
            self.switch()
        elif kind < .71:
            self.chain(depth)
        elif self.depth_of_loops < 3:
            self.loop(depth)
        else:
            self.work()


def kernel(chance, number):
    writer = Writer(chance)
    together = chance.random() < .3
    writer.returns = not together
    for _ in range(chance.randint(1, 4)):
        writer.meeting(2) if together and chance.random() < .6 else writer.statement(3)
    source = '\n'.join([
        f'extern "C" __global__ void k{number}(float *out, const float *a, int n, int m, int step)', '{',
        '    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;', '    float acc = 0.0f;',
        *(['    __shared__ float tile[64];', '    tile[g & 63] = 0.0f;'] if together else []),
        *writer.lines, '    out[(q + g) & 4095] = acc;', '}', ''])
    blocks = [[64, 1, 1], [32, 1, 1], [96, 1, 1]] if together and not writer.planar else \
             [[16, 4, 1], [8, 8, 1], [32, 2, 1]] if together else \
             [[16, 4, 1], [8, 8, 1], [32, 2, 1], [20, 3, 1]] if writer.planar else \
             [[64, 1, 1], [32, 1, 1], [96, 1, 1], [50, 1, 1]]
    floats = {'type': 'f32', 'count': 4096, 'fill': 'random'}
    launch = {'file': 'random.cu', 'kernel': f'k{number}', 'size': 'small',
              'grid': [chance.choice([1, 2, 3]), 1, 1], 'block': chance.choice(blocks), 'shared': 0,
              'arguments': {'n': chance.choice([0, 1, 5, 17, 32, 50, 64, 77, 100]),
                            'm': chance.choice([0, 1, 3, 8, 13, 32, 40]),
                            'step': chance.choice([1, 2, 3, 5])},
              'buffers': {'out': floats, 'a': floats}, 'outputs': [],
              'limit': 2000000,  # one integer less may be a step of 0: such a loop has no end
              'data_dependent': True}  # what is named as unknown may differ
    return source, launch


def unanswered(forewarp, compiler, folder, kernels):
    """Predictions, by all models, of the kernels with ends that fail."""
    environment = {**os.environ, 'XDG_CACHE_HOME': f'{folder}/cache'}  # compiled once
    failed = []
    for source, launch in kernels:
        if 'asm' not in source and '__trap' not in source:
            continue
        command = [forewarp, 'predict', f'{folder}/random.cu', '-k', launch['kernel'], '-d', 'h200',
                   '--compiler', compiler, '-m', 'traffic,roofline', '-g', '3', '-b', 'x'.join(map(str, launch['block']))]
        for name, value in launch['arguments'].items():
            command += ['-s', f'{name}={value}']
        result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                env=environment)
        if result.returncode:
            failed.append(f'{" ".join(command)}: exit status {result.returncode}\n{result.stderr}\n{source}')
    print(f'{sum("asm" in source or "__trap" in source for source, _ in kernels)} kernels with ends predicted')
    return failed


def main():
    program, compiler, data = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
    seed = int(os.environ.get('FOREWARP_SEED', sys.argv[4] if len(sys.argv) > 4 else '1'))
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 40
    print(f'seed {seed}, {count} kernels', flush=True)
    chance = random.Random(seed)
    kernels = [kernel(chance, number) for number in range(count)]
    ended = []
    with tempfile.TemporaryDirectory() as folder:
        with open(f'{folder}/random.cu', 'w') as file:
            file.write('\n'.join(source for source, _ in kernels))
        with open(f'{folder}/launches.json', 'w') as file:
            json.dump([launch for _, launch in kernels], file)
        result = subprocess.run([program, f'{folder}/launches.json', folder, f'compile:{compiler}:{data}'],
                                stdout=subprocess.PIPE, text=True)
        if len(sys.argv) > 6 and result.returncode in (0, 1):
            ended = unanswered(os.path.abspath(sys.argv[6]), compiler, folder, kernels)
        lines = result.stdout.splitlines()
        leaning = sum('leans on' in line for line in lines)
        wrong, differs = set(), False
        for line in lines:  # what differs stands before the launch that it is about
            if line.startswith('FAIL'):
                if differs or 'leans on' not in line:
                    wrong.add(line.split()[1].rstrip(','))
            differs = line.startswith('    instruction')
        print('\n'.join(line for line in lines if not line.startswith(('ok', 'left out'))))
        print(f'{leaning} launches of {len(kernels)} kernels leaned on a named unknown; '
              f'{len(wrong)} kernels counted wrongly')
        for number, (source, launch) in enumerate(kernels):
            if f'k{number}' in wrong:
                print(source, launch)
        print('\n'.join(ended))
    return result.returncode if result.returncode not in (0, 1) else int(bool(wrong or ended))


if __name__ == '__main__':
    sys.exit(main())
