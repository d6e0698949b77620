"""Layers in Halide; writes their PTX as halide_pictures.py does.

usage: halide_layers.py OUT.ptx [NAME]
"""
import sys

import halide as hl

from halide_pictures import write, x, xi, y, yi, zero_based

co, ci, t, ti = (hl.Var(n) for n in ('co', 'ci', 't', 'ti'))


def conv_relu():
    """A convolution of 3 x 3 over channels with a bias and a clamp: four output channels a thread."""
    image, weights, bias = hl.ImageParam(hl.Float(32), 3, 'image'), hl.ImageParam(hl.Float(32), 4, 'weights'), hl.ImageParam(hl.Float(32), 1, 'bias')
    for parameter, dimensions in ((image, 3), (weights, 4), (bias, 1)):
        zero_based(parameter, dimensions)
    conv, relu = hl.Func('conv'), hl.Func('relu')
    r = hl.RDom([(0, 3), (0, 3), (0, image.dim(2).extent())], 'r')
    conv[x, y, co] = bias[co]
    conv[x, y, co] += weights[co, r.x, r.y, r.z] * image[x + r.x, y + r.y, r.z]
    relu[x, y, co] = hl.max(conv[x, y, co], 0.0)
    zero_based(relu.output_buffer(), 3)
    relu.split(co, t, co, 4).reorder(co, x, y, t).unroll(co).gpu_tile(x, y, xi, yi, 32, 4).gpu_blocks(t)
    conv.compute_at(relu, xi).unroll(co)
    conv.update().reorder(co, r.x, r.y, r.z, x, y).unroll(co).unroll(r.x).unroll(r.y)
    return relu, [image, weights, bias]


def softplus_rows():
    """Rows of a matrix: their mean and spread, then what is left of each element through a soft clamp."""
    matrix = hl.ImageParam(hl.Float(32), 2, 'matrix')
    zero_based(matrix, 2)
    mean, spread, out = hl.Func('mean'), hl.Func('spread'), hl.Func('softened')
    r = hl.RDom([(0, matrix.width())], 'r')
    mean[y] = 0.0
    mean[y] += matrix[r.x, y] / hl.f32(matrix.width())
    spread[y] = 0.0
    spread[y] += (matrix[r.x, y] - mean[y]) * (matrix[r.x, y] - mean[y]) / hl.f32(matrix.width())
    out[x, y] = hl.log(1.0 + hl.exp((matrix[x, y] - mean[y]) / hl.sqrt(spread[y] + 1e-5)))
    zero_based(out.output_buffer(), 2)
    yo = hl.Var('yo')
    out.gpu_tile(x, y, xi, yi, 64, 4)
    for one in (mean, spread):
        one.compute_root().gpu_tile(y, yo, yi, 64)
        one.update().gpu_tile(y, yo, yi, 64)
    return out, [matrix]


if __name__ == '__main__':
    write({'conv_relu': conv_relu, 'softplus_rows': softplus_rows}, sys.argv)
