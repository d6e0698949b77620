/* Stands in for the CUDA toolkit's header of this name: complex numbers as pairs. */
#ifndef FOREWARP_CUCOMPLEX_H
#define FOREWARP_CUCOMPLEX_H

#include "forewarp_cuda.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

#define __FW_COMPLEX(type, real, make, realf, imagf, conjf, addf, subf, mulf, divf, absf, root)     \
    __FW_DEVICE type make(real x, real y) { return type(x, y); }                                   \
    __FW_DEVICE real realf(type z) { return z.x; }                                                 \
    __FW_DEVICE real imagf(type z) { return z.y; }                                                 \
    __FW_DEVICE type conjf(type z) { return type(z.x, -z.y); }                                     \
    __FW_DEVICE type addf(type a, type b) { return type(a.x + b.x, a.y + b.y); }                   \
    __FW_DEVICE type subf(type a, type b) { return type(a.x - b.x, a.y - b.y); }                   \
    __FW_DEVICE type mulf(type a, type b)                                                          \
    {                                                                                              \
        return type(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    __FW_DEVICE type divf(type a, type b)                                                          \
    {                                                                                              \
        real d = b.x * b.x + b.y * b.y;                                                            \
        return type((a.x * b.x + a.y * b.y) / d, (a.y * b.x - a.x * b.y) / d);                     \
    }                                                                                              \
    __FW_DEVICE real absf(type z) { return root(z.x * z.x + z.y * z.y); }
__FW_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf,
             cuCsubf, cuCmulf, cuCdivf, cuCabsf, sqrtf)
__FW_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd, cuCsub,
             cuCmul, cuCdiv, cuCabs, sqrt)
__FW_DEVICE cuComplex make_cuComplex(float x, float y) { return cuComplex(x, y); }

#endif
