"""Takes parameters that are structures apart: a plain parameter for each part that a kernel reads.

Plans of measurements state plain parameters alone.  Kernels read the same values from the same bank of constants.
"""
import re

TYPES = {'u64': 8, 's64': 8, 'b64': 8, 'f64': 8, 'u32': 4, 's32': 4, 'b32': 4, 'f32': 4, 'u16': 2, 's16': 2, 'b16': 2, 'u8': 1, 's8': 1, 'b8': 1}


def plain(text, kernel, names):
    """TEXT with one entry, which becomes KERNEL; NAMES of its parameters.  A part at byte 24 of `points` becomes points_24, at byte 0
    points."""
    head, entry, old, told, body = re.match(r'(.*?)(\.visible \.entry (\w+)\(\s*(.*?)\s*\)\s)(.*)', text, re.S).groups()
    spread, parts = {}, {}
    for place, (one, name) in enumerate(zip(told.split(','), names)):
        what = re.search(r'(\w+)(\[\d+\])?\s*$', one)
        spread[what.group(1)] = name
        parts[name] = {}

    def load(match):
        vector, kind, registers, parameter, offset = match.groups()
        if parameter not in spread:
            return match.group(0)  # of a function that is called
        name, at = spread[parameter], int(offset or 0)
        found = []
        for register in registers.strip('{} ').split(','):
            parts[name][at] = kind
            found.append(f'ld.param.{kind} \t{register.strip()}, [{kernel}_{name}{f"_{at}" if at else ""}];')
            at += TYPES[kind]
        return '\n\t'.join(found)
    body = re.sub(r'ld\.param(\.v[24])?\.(\w+)\s+(\{[^}]*\}|%\w+),\s*\[(\w+?)(?:\+(\d+))?\];', load, body)
    assert not re.search(rf'{old}_param_\d', body), 'a parameter is used otherwise'
    plain_ones = [f'\t.param .{kind} {kernel}_{name}{f"_{at}" if at else ""}' for name in names for at, kind in sorted(parts[name].items())]
    return head + f'.visible .entry {kernel}(\n' + ',\n'.join(plain_ones) + '\n)\n' + body.replace('$L__BB', f'$L__{kernel}_BB')


def join(texts):
    """Modules as one: the directives of the first, the rest of all."""
    mark = '.address_size 64'
    return texts[0].rstrip('\n\0') + '\n' + ''.join(t[t.index(mark) + len(mark):].rstrip('\n\0') + '\n' for t in texts[1:])
