"""Kernels as CuPy writes them to CUDA C++ (pip install cupy-cuda13x==14.2.0, without a device), translated by nvcc with CuPy's headers.

usage: cupy_arrays.py OUT.ptx [source]        source: what CuPy writes is printed

CuPy writes the source for the kinds of arguments; its structures of arrays are then taken apart (plain_parameters.py).
"""
import os
import subprocess
import sys
import tempfile

import cupy
import numpy as np
from cupy._core import _kernel, _reduction

from plain_parameters import join, plain

ARRAY, INDEXER, SCALAR = 1, 2, 3
HEADERS = os.path.join(cupy.__path__[0], '_core/include')


def array(dtype, axes=1, contiguous=True):
    return _kernel._ArgInfo(ARRAY, cupy.ndarray, np.dtype(dtype), axes, contiguous, True)


def scalar(dtype):
    return _kernel._ArgInfo(SCALAR, _kernel._ArgInfo, np.dtype(dtype), 0, True, True)


def indexer(axes=1):
    return _kernel._ArgInfo(INDEXER, _kernel._ArgInfo, None, axes, True, True)


def elementwise(ins, outs, body, name, infos, types):
    kernel = cupy.ElementwiseKernel(ins, outs, body, name)
    return _kernel._get_elementwise_kernel_code(tuple(infos), _kernel._TypeMap(types), kernel.params, body, name, '')


def huber_gradient():
    """A gradient of Huber's loss, clipped and weighted: arrays without gaps."""
    return elementwise('T x, T y, T weight, T delta', 'T z', 'T r = x - y; z = weight * (abs(r) < delta ? r : copysign(delta, r))', 'huber_gradient',
                       [array('f'), array('f'), array('f'), scalar('f'), array('f'), indexer()], (('T', np.float32),))


def great_circle():
    """Distances on a sphere of all pairs of two lists, by broadcast: rows and columns are views whose strides hold zeros."""
    body = 'T s = sin((lat1 - lat0) * (T)0.5), t = sin((lon1 - lon0) * (T)0.5); d = (T)12742.0 * asin(sqrt(s * s + cos(lat0) * cos(lat1) * t * t))'
    infos = [array('d', 2, False)] * 4 + [array('d', 2), indexer(2)]
    return elementwise('T lat0, T lon0, T lat1, T lon1', 'T d', body, 'great_circle', infos, (('T', np.float64),))


def log_sum_exp():
    """Logarithms of sums of exponentials along the last axis: cupy.ReductionKernel's blocks of 512, a row a block if rows are long."""
    kernel = cupy.ReductionKernel('T x', 'T y', 'exp(x)', 'a + b', 'y = log(a)', '0', 'log_sum_exp')
    infos = (array('f', 2, False), array('f'), indexer(2), indexer(1), scalar('i'))
    types = _kernel._TypeMap((('T', np.float32), ('IndexT', np.int32)))
    params = kernel.in_params + kernel.out_params + _kernel._get_param_info('CIndexer _in_ind, CIndexer _out_ind', False) + _kernel._get_param_info('int32 _block_stride', True)
    return _reduction._create_reduction_function_code('log_sum_exp', 512, 'T', params, infos, '0', 'exp(x)', 'a + b', 'y = log(a)', types,
                                                      'const T x = _raw_x[_in_ind.get()];', 'T &y = _raw_y[_out_ind.get()];', '', ())


KERNELS = {huber_gradient: 'x y weight delta z index', great_circle: 'lat0 lon0 lat1 lon1 d index', log_sum_exp: 'x y in_index out_index block_stride'}


def translate(source):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'kernel.cu')
        open(path, 'w').write('#include <cupy/carray.cuh>\n' + source)
        subprocess.run(['nvcc', '-O3', '-std=c++17', '-arch=sm_90', '-ptx', '-I' + HEADERS, '-o', path + '.ptx', path], check=True)
        return open(path + '.ptx').read()


if __name__ == '__main__':
    found = []
    for kernel, names in KERNELS.items():
        source = kernel()
        if len(sys.argv) > 2:
            print(source)
        found.append(plain(translate(source), kernel.__name__, names.split()))
    open(sys.argv[1], 'w').write(join(found))
