"""Sweeps over fields as pystencils writes them to CUDA C++ (pip install pystencils==2.0 without a device).

usage: pystencils_sweeps.py OUT.cu
"""
import sys

import pystencils as ps
import sympy as sp


def kernel(name, assignments):
    config = ps.CreateKernelConfig(target=ps.Target.CUDA, function_name=name)
    return ps.create_kernel(assignments, config).get_c_code()


def phase_field():
    """A step of Allen and Cahn's equation with an anisotropic mobility, doubles in three dimensions."""
    phi, new, mobility = ps.fields('phi, phi_new, mobility: float64[3D]', layout='fzyx')
    dx, dt, epsilon = (ps.TypedSymbol(name, 'float64') for name in ('dx', 'dt', 'epsilon'))
    laplacian = sum(phi[tuple(s * (a == b) for b in range(3))] for a in range(3) for s in (-1, 1)) - 6 * phi.center
    p = phi.center
    gradient = sum(((phi[tuple(int(a == b) for b in range(3))] - phi[tuple(-int(a == b) for b in range(3))]) / (2 * dx)) ** 2 for a in range(3))
    force = p * (1 - p) * (p - sp.Rational(1, 2)) + sp.Rational(1, 10) * gradient
    return kernel('phase_field', [ps.Assignment(new.center, p + dt * mobility.center * (epsilon * laplacian / dx ** 2 + force))])


def vector_curl():
    """The curl of a vector field of floats, components in planes of their own."""
    v, w = ps.fields('v(3), w(3): float32[3D]', layout='fzyx')
    h = ps.TypedSymbol('h', 'float32')

    def d(component, axis):
        return (v[tuple(int(axis == b) for b in range(3))](component) - v[tuple(-int(axis == b) for b in range(3))](component)) / (2 * h)
    return kernel('vector_curl', [ps.Assignment(w.center(0), d(2, 1) - d(1, 2)), ps.Assignment(w.center(1), d(0, 2) - d(2, 0)), ps.Assignment(w.center(2), d(1, 0) - d(0, 1))])


if __name__ == '__main__':
    text = '/* Written by pystencils_sweeps.py; compiled by clang. */\n#include <stdint.h>\n#define RESTRICT __restrict__\n'
    for one in (phase_field, vector_curl):
        text += '\n' + one().replace('__global__ void', 'extern "C" __global__ void', 1).rstrip() + '\n'
    open(sys.argv[1], 'w').write(text)
