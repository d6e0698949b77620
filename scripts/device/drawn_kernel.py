"""Kernels that scripts draw: their text and their launches, as kernels/README.md describes these."""
import json
import os

SIZES = ['small', 'large']
FILLED = {'low': 0.05, 'high': 0.06}


class Kernel:
    """One kernel under way: its parameters, its lines, and its launches."""

    def __init__(self, name, chance, sizes=SIZES):
        self.name, self.chance, self.sizes = name, chance, sizes
        self.parameters, self.lines, self.before, self.launches = [], [], [], []
        self.bounds = ''
        self.indent = 1

    def take(self, *parameters):
        self.parameters += parameters

    def add(self, text):
        for line in text.strip('\n').split('\n'):
            line = line.rstrip()
            closes = line.lstrip().startswith('}')
            self.indent -= closes
            self.lines.append('    ' * self.indent + line.lstrip())
            self.indent += line.endswith('{')

    def launch(self, grid, block, arguments, buffers, outputs, shared=0, leans=''):
        """`buffers`: name: (type, count, fill, {low, high, step, jitter})"""
        def three(a):
            a = [a] if isinstance(a, int) else list(a)
            return a + [1] * (3 - len(a))
        size, *shape = self.sizes[len(self.launches)].split()
        described = {}
        for name, (kind_of, count, fill, *more) in buffers.items():
            described[name] = {'type': kind_of, 'count': int(count), 'fill': fill, **(more[0] if more else {})}
        row = {'file': None, 'kernel': self.name, 'size': size, 'grid': three(grid), 'block': three(block),
               'shared': shared, 'arguments': arguments, 'buffers': described, 'outputs': outputs,
               'data_dependent': bool(leans)}
        if shape:
            row['shape'] = shape[0]
        if leans:
            row['why'] = leans
        assert all(0 < g for g in row['grid']) and row['grid'][1] < 65536 and row['grid'][2] < 65536
        self.launches.append(row)

    def text(self):
        head = f'extern "C" __global__ void {self.bounds}{self.name}({", ".join(self.parameters)})'
        return '\n'.join(self.before + [head, '{'] + self.lines + ['}']) + '\n'


def parts(a, b):
    return -(-a // b)


REAL = {'float': 'f32', 'double': 'f64'}


def write(folder, name, about, kernels):
    """Writes a .cu; the rows of its launches."""
    with open(os.path.join(folder, f'{name}.cu'), 'w') as out:
        out.write(f'/* {about} */\n')
        for kernel in kernels:
            out.write('\n' + kernel.text())
    return [{**row, 'file': f'{name}.cu'} for kernel in kernels for row in kernel.launches]


def write_list(folder, rows):
    with open(os.path.join(folder, 'launches.json'), 'w') as out:
        out.write('[\n' + ',\n'.join(json.dumps(row) for row in rows) + '\n]\n')
    return len(rows)
