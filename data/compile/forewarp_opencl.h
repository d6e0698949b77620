/* OpenCL C for clang with libclc: what libclc's PTX library leaves open.
 *
 * Included before every OpenCL source, behind the language's own declarations.  The native_ functions
 * are the special-function unit's instructions; libclc maps them to calls that the PTX target has not.
 * Arguments of a grid's offset do not exist in CUDA's model: it is 0. */
#ifndef FOREWARP_OPENCL_H
#define FOREWARP_OPENCL_H

#define __FW_CL static inline __attribute__((overloadable, always_inline, unused))

#define __FW_CL_INSTRUCTION(name, instruction)                                                     \
    __FW_CL float name(float x)                                                                    \
    {                                                                                              \
        float v;                                                                                   \
        __asm__(instruction " %0, %1;" : "=f"(v) : "f"(x));                                        \
        return v;                                                                                  \
    }
__FW_CL_INSTRUCTION(__fw_exp2, "ex2.approx.ftz.f32")
__FW_CL_INSTRUCTION(__fw_log2, "lg2.approx.ftz.f32")
__FW_CL_INSTRUCTION(__fw_sin, "sin.approx.ftz.f32")
__FW_CL_INSTRUCTION(__fw_cos, "cos.approx.ftz.f32")
__FW_CL_INSTRUCTION(__fw_recip, "rcp.approx.ftz.f32")
__FW_CL_INSTRUCTION(__fw_rsqrt, "rsqrt.approx.ftz.f32")
__FW_CL_INSTRUCTION(__fw_sqrt, "sqrt.approx.ftz.f32")
__FW_CL float __fw_exp(float x) { return __fw_exp2(x * 1.4426950408889634f); }
__FW_CL float __fw_exp10(float x) { return __fw_exp2(x * 3.3219280948873623f); }
__FW_CL float __fw_log(float x) { return __fw_log2(x) * 0.6931471805599453f; }
__FW_CL float __fw_log10(float x) { return __fw_log2(x) * 0.3010299956639812f; }
__FW_CL float __fw_tan(float x) { return __fw_sin(x) * __fw_recip(__fw_cos(x)); }
__FW_CL float __fw_divide(float x, float y) { return x * __fw_recip(y); }
__FW_CL float __fw_powr(float x, float y) { return __fw_exp2(y * __fw_log2(x)); }

#define __FW_CL_VECTORS1(name)                                                                     \
    __FW_CL float2 name(float2 x) { return (float2)(name(x.x), name(x.y)); }                       \
    __FW_CL float3 name(float3 x) { return (float3)(name(x.x), name(x.y), name(x.z)); }            \
    __FW_CL float4 name(float4 x) { return (float4)(name(x.lo), name(x.hi)); }                     \
    __FW_CL float8 name(float8 x) { return (float8)(name(x.lo), name(x.hi)); }                     \
    __FW_CL float16 name(float16 x) { return (float16)(name(x.lo), name(x.hi)); }
#define __FW_CL_VECTORS2(name)                                                                     \
    __FW_CL float2 name(float2 x, float2 y) { return (float2)(name(x.x, y.x), name(x.y, y.y)); }   \
    __FW_CL float3 name(float3 x, float3 y) { return (float3)(name(x.xy, y.xy), name(x.z, y.z)); } \
    __FW_CL float4 name(float4 x, float4 y)                                                        \
    {                                                                                              \
        return (float4)(name(x.lo, y.lo), name(x.hi, y.hi));                                       \
    }                                                                                              \
    __FW_CL float8 name(float8 x, float8 y)                                                        \
    {                                                                                              \
        return (float8)(name(x.lo, y.lo), name(x.hi, y.hi));                                       \
    }                                                                                              \
    __FW_CL float16 name(float16 x, float16 y)                                                     \
    {                                                                                              \
        return (float16)(name(x.lo, y.lo), name(x.hi, y.hi));                                      \
    }
__FW_CL_VECTORS1(__fw_exp2)
__FW_CL_VECTORS1(__fw_log2)
__FW_CL_VECTORS1(__fw_sin)
__FW_CL_VECTORS1(__fw_cos)
__FW_CL_VECTORS1(__fw_recip)
__FW_CL_VECTORS1(__fw_rsqrt)
__FW_CL_VECTORS1(__fw_sqrt)
__FW_CL_VECTORS1(__fw_exp)
__FW_CL_VECTORS1(__fw_exp10)
__FW_CL_VECTORS1(__fw_log)
__FW_CL_VECTORS1(__fw_log10)
__FW_CL_VECTORS1(__fw_tan)
__FW_CL_VECTORS2(__fw_divide)
__FW_CL_VECTORS2(__fw_powr)

#define native_exp2   __fw_exp2
#define native_log2   __fw_log2
#define native_sin    __fw_sin
#define native_cos    __fw_cos
#define native_recip  __fw_recip
#define native_rsqrt  __fw_rsqrt
#define native_sqrt   __fw_sqrt
#define native_exp    __fw_exp
#define native_exp10  __fw_exp10
#define native_log    __fw_log
#define native_log10  __fw_log10
#define native_tan    __fw_tan
#define native_divide __fw_divide
#define native_powr   __fw_powr

#define get_global_offset(dimension) ((size_t)((dimension) * 0))

#endif
