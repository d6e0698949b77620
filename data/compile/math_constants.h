/* Stands in for the CUDA toolkit's header of this name: the constants that kernels use. */
#ifndef FOREWARP_MATH_CONSTANTS_H
#define FOREWARP_MATH_CONSTANTS_H

#define CUDART_INF_F      __int_as_float(0x7f800000)
#define CUDART_NAN_F      __int_as_float(0x7fffffff)
#define CUDART_MIN_DENORM_F __int_as_float(1)
#define CUDART_MAX_NORMAL_F 3.402823466e38f
#define CUDART_PI_F       3.141592654f
#define CUDART_PIO2_F     1.570796327f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_L2E_F      1.442695041f
#define CUDART_LN2_F      0.693147181f
#define CUDART_INF        __longlong_as_double(0x7ff0000000000000)
#define CUDART_NAN        __longlong_as_double(0x7ff8000000000000)
#define CUDART_PI         3.1415926535897931
#define CUDART_PIO2       1.5707963267948966
#define CUDART_SQRT_TWO   1.4142135623730951
#define CUDART_L2E        1.4426950408889634
#define CUDART_LN2        0.6931471805599453

#endif
