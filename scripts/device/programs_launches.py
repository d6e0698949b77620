"""What lists of launches of hand-written programs are made of (write-programs)."""

LAUNCHES = []


def f32(count, low=0.0, high=1.0):
    return {'type': 'f32', 'count': count, 'fill': 'random', 'low': low, 'high': high}


def f64(count, low=0.0, high=1.0):
    return {**f32(count, low, high), 'type': 'f64'}


def s32(count, low=0, high=100):
    return {**f32(count, low, high), 'type': 's32'}


def zero(count, kind='f32'):
    return {'type': kind, 'count': count, 'fill': 'zero'}


def launch(file, kernel, size, grid, block, arguments, buffers, outputs, shared=0, depends=None):
    grid, block = [(list(v) + [1, 1])[:3] if isinstance(v, tuple) else [v, 1, 1] for v in (grid, block)]
    row = {'file': file if file.endswith('.cl') else file + '.cu', 'kernel': kernel, 'size': size, 'grid': grid, 'block': block, 'shared': shared,
           'arguments': arguments, 'buffers': buffers, 'outputs': outputs.split(), 'data_dependent': bool(depends)}
    LAUNCHES.append({**row, 'why': depends} if depends else row)


def up(n, d):
    return (n + d - 1) // d


def u8(count):
    return {'type': 'u8', 'count': count, 'fill': 'random', 'low': 0, 'high': 255}


def u32(count):
    return {'type': 'u32', 'count': count, 'fill': 'random', 'low': 0, 'high': 4294967295}


def f16(count, low=0.0, high=1.0):
    return {**f32(count, low, high), 'type': 'f16'}


def bf16(count, low=0.0, high=1.0):
    return {**f32(count, low, high), 'type': 'bf16'}


def s64(count, low=0, high=100):
    return {**s32(count, low, high), 'type': 's64'}


def u64(count):
    return {**u32(count), 'type': 'u64'}


def ramp(count, step, jitter=1, kind='s32'):
    """The offsets of rows with STEP entries, up to JITTER more or fewer."""
    return {'type': kind, 'count': count, 'fill': 'ramp', 'low': 0, 'step': step, 'jitter': jitter}


def permutation(count, kind):
    return {'type': kind, 'count': count, 'fill': 'permutation'}
