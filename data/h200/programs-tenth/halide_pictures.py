"""Pipelines of pictures in Halide; writes their PTX (pip install halide==21.0.0, without a device).

usage: halide_pictures.py OUT.ptx [NAME]        NAME: a pipeline whose lowered statement is printed instead
"""
import os
import sys
import tempfile

import halide as hl

TARGET = hl.Target('host-cuda-cuda_capability_80-no_runtime')
x, y, c, xi, yi = (hl.Var(n) for n in ('x', 'y', 'c', 'xi', 'yi'))


def zero_based(parameter, dimensions):
    for d in range(dimensions):
        parameter.dim(d).set_min(0)


def sharpen_gray():
    """Gray of planes of bytes, a separable blur in shared memory, what it lacks added to the picture."""
    picture = hl.ImageParam(hl.UInt(8), 3, 'picture')
    zero_based(picture, 3)
    gray, rows, blurred, out = (hl.Func(n) for n in ('gray', 'rows', 'blurred', 'sharpened'))
    gray[x, y] = 0.299 * hl.f32(picture[x, y, 0]) + 0.587 * hl.f32(picture[x, y, 1]) + 0.114 * hl.f32(picture[x, y, 2])
    weights = [0.0625, 0.25, 0.375, 0.25, 0.0625]
    rows[x, y] = sum((weights[k] * gray[x, y + k] for k in range(1, 5)), weights[0] * gray[x, y])
    blurred[x, y] = sum((weights[k] * rows[x + k, y] for k in range(1, 5)), weights[0] * rows[x, y])
    out[x, y] = hl.u8(hl.clamp(gray[x + 2, y + 2] + 1.5 * (gray[x + 2, y + 2] - blurred[x, y]), 0.0, 255.0))
    out.gpu_tile(x, y, xi, yi, 32, 8)
    rows.compute_at(out, x).gpu_threads(x, y)
    out.output_buffer().dim(0).set_min(0)
    out.output_buffer().dim(1).set_min(0)
    return out, [picture]


def recursive_columns_twice():
    """A smoothing filter of first order down the columns and up again: a thread a column."""
    picture = hl.ImageParam(hl.Float(32), 2, 'plane')
    zero_based(picture, 2)
    height = picture.height()
    smooth = hl.Func('smooth')
    r = hl.RDom([(1, height - 1)], 'r')
    smooth[x, y] = hl.undef(hl.Float(32))
    smooth[x, 0] = picture[x, 0]
    smooth[x, r.x] = 0.3 * picture[x, r.x] + 0.7 * smooth[x, r.x - 1]
    back = height - 1 - r.x
    smooth[x, back] = 0.3 * smooth[x, back] + 0.7 * smooth[x, back + 1]
    xo = hl.Var('xo')
    smooth.compute_root()
    for update in range(3):
        smooth.update(update).gpu_tile(x, xo, xi, 64)
    zero_based(smooth.output_buffer(), 2)
    return smooth, [picture]


PIPELINES = {'sharpen_gray': sharpen_gray, 'recursive_columns_twice': recursive_columns_twice}


def write(pipelines, arguments):
    """The PTX of all pipelines in one file, an entry for each kernel; Halide's names get the pipeline's in front."""
    text = ''
    with tempfile.TemporaryDirectory() as folder:
        for name, pipeline in pipelines.items():
            out, inputs = pipeline()
            code, statement = os.path.join(folder, 'code'), os.path.join(folder, 'statement')
            out.compile_to({hl.OutputFileType.device_code: code, hl.OutputFileType.stmt: statement}, inputs, name, TARGET)
            if name in arguments[2:]:
                sys.stdout.write(open(statement, errors='replace').read())
            one = open(code, errors='replace').read().rstrip('\0').rstrip()
            one = one.replace('_kernel_', name + '_').replace('$L__BB', f'$L__{name}_BB')
            text += one[one.index('.version'):] + '\n' if not text else one[one.index('.address_size') + len('.address_size 64'):] + '\n'
    open(arguments[1], 'w').write(text)


if __name__ == '__main__':
    write(PIPELINES, sys.argv)
