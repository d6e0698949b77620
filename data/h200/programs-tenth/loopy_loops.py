"""Loops as loopy writes them to OpenCL C (pip install loopy==2025.2 without a device).

usage: loopy_loops.py OUT.cl
"""
import sys

import loopy as lp
import numpy as np

VERSION = (2018, 2)


def laplacian_prefetched():
    """Five points of a field of doubles, its tile fetched to local memory first."""
    kernel = lp.make_kernel('{[i, j]: 0 <= i, j < n}', 'out[i, j] = -4.0*u[i+1, j+1] + u[i, j+1] + u[i+2, j+1] + u[i+1, j] + u[i+1, j+2]',
                            [lp.GlobalArg('u', np.float64, shape='n + 2, n + 2'), lp.GlobalArg('out', np.float64, shape='n, n'), lp.ValueArg('n', np.int32)], target=lp.OpenCLTarget(), lang_version=VERSION, name='laplacian_prefetched')
    kernel = lp.assume(kernel, 'n >= 1 and n mod 16 = 0')
    kernel = lp.split_iname(kernel, 'i', 16, outer_tag='g.1', inner_tag='l.1')
    kernel = lp.split_iname(kernel, 'j', 16, outer_tag='g.0', inner_tag='l.0')
    return lp.add_prefetch(kernel, 'u', ['i_inner', 'j_inner'], fetch_bounding_box=True, default_tag='l.auto')


def batched_small_products():
    """Products of matrices of 9 x 9, one for each element, a work-group an element of the batch and rows of it."""
    kernel = lp.make_kernel('{[e, i, j, k]: 0 <= e < elements and 0 <= i, j, k < 9}', 'c[e, i, j] = sum(k, a[e, i, k]*b[e, k, j])',
                            [lp.GlobalArg('a,b,c', np.float32, shape='elements, 9, 9'), lp.ValueArg('elements', np.int32)], target=lp.OpenCLTarget(), lang_version=VERSION, name='batched_small_products')
    kernel = lp.split_iname(kernel, 'e', 4, outer_tag='g.0', inner_tag='l.1')
    return lp.tag_inames(kernel, {'j': 'l.0', 'k': 'unr'})


def horner_polynomials():
    """Polynomials of degree 15, coefficients in an array, four points a work-item."""
    body = ''.join(f'v = v*x[i] + c[{k}] {{id=s{k},dep=s{k + 1}}}\n' for k in range(14, -1, -1))
    kernel = lp.make_kernel('{[i]: 0 <= i < n}', 'for i\n<> v = c[15] {id=s15}\n' + body + 'y[i] = v {dep=s0}\nend',
                            [lp.GlobalArg('x,y', np.float32, shape='n'), lp.GlobalArg('c', np.float32, shape='16'), lp.ValueArg('n', np.int32)], target=lp.OpenCLTarget(), lang_version=VERSION, name='horner_polynomials')
    kernel = lp.split_iname(kernel, 'i', 512, outer_tag='g.0', slabs=(0, 1))
    return lp.split_iname(kernel, 'i_inner', 128, inner_tag='l.0', outer_tag='unr')


def row_norms():
    """Square norms of the rows of a matrix, a sequential sum a work-item."""
    kernel = lp.make_kernel('{[i, j]: 0 <= i < rows and 0 <= j < columns}', 'norm[i] = sum(j, m[i, j]*m[i, j])',
                            [lp.GlobalArg('m', np.float32, shape='rows, columns'), lp.GlobalArg('norm', np.float32, shape='rows'), lp.ValueArg('rows,columns', np.int32)], target=lp.OpenCLTarget(), lang_version=VERSION, name='row_norms')
    return lp.split_iname(kernel, 'i', 64, outer_tag='g.0', inner_tag='l.0')


if __name__ == '__main__':
    text = '/* Written by loopy_loops.py. */\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n'
    seen = set()
    for kernel in (laplacian_prefetched, batched_small_products, horner_polynomials, row_norms):
        for line in lp.generate_code_v2(kernel()).device_code().split('\n'):
            if not (line.startswith('#') and line in seen):
                text += line.rstrip() + '\n'
            seen.add(line)
    open(sys.argv[1], 'w').write(text)
