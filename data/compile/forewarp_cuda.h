/* CUDA C++ for clang without a CUDA toolkit: what self-contained kernels use of the device side.
 *
 * Included before every CUDA source that clang compiles.  Each function is a PTX instruction or a
 * short expansion; the expansions are our own, so that their instruction counts differ from nvcc's, and
 * sin, cos and tan are accurate for arguments up to about 1e5 only (no slow path for larger ones).
 * Of the host's side there are declarations alone, so that a file with host code can be read. */
#ifndef FOREWARP_CUDA_H
#define FOREWARP_CUDA_H

/* Nothing is included from here: the compiler's list of files would not say so. */
typedef __SIZE_TYPE__ size_t;
#ifndef NULL
#define NULL __null
#endif

#define __host__              __attribute__((host))
#define __device__            __attribute__((device))
#define __global__            __attribute__((global))
#define __shared__            __attribute__((shared))
#define __constant__          __attribute__((constant))
#define __managed__           __attribute__((managed))
#define __noinline__          __attribute__((noinline))
#define __forceinline__       __inline__ __attribute__((always_inline))
#define __align__(n)          __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __restrict            __restrict__
#define __CUDACC__            1
#define CUDA_VERSION          13000
#define CUDART_VERSION        13000

#define __FW_DEVICE static __inline__ __attribute__((always_inline, device, unused))
#define __FW_BOTH   static __inline__ __attribute__((always_inline, host, device, unused))

/* ---- vector types ---- */

/* Vectors of 16 bytes at most are copied whole: clang would take a structure apart into one access an
 * element, where nvcc has one for all. */
#define __FW_WHOLE(type, name, count, bytes)                                                       \
    typedef type __fw_##name __attribute__((ext_vector_type(count), aligned(bytes), may_alias));   \
    __host__ __device__ __forceinline__ name() = default;                                          \
    __host__ __device__ __forceinline__ name(const name &other)                                    \
    {                                                                                              \
        *(__fw_##name *)this = *(const __fw_##name *)&other;                                       \
    }                                                                                              \
    __host__ __device__ __forceinline__ name &operator=(const name &other)                         \
    {                                                                                              \
        *(__fw_##name *)this = *(const __fw_##name *)&other;                                       \
        return *this;                                                                              \
    }

#define __FW_VECTOR2(type, name, size)                                                             \
    struct __attribute__((aligned(2 * size))) name {                                               \
        type x, y;                                                                                 \
        __FW_WHOLE(type, name, 2, 2 * size)                                                        \
        __host__ __device__ constexpr name(type x_, type y_) : x(x_), y(y_) {}                     \
    };                                                                                             \
    __FW_BOTH name make_##name(type x, type y) { return name(x, y); }

#define __FW_VECTOR4(type, name, size)                                                             \
    struct __attribute__((aligned(4 * size))) name {                                               \
        type x, y, z, w;                                                                           \
        __FW_WHOLE(type, name, 4, 4 * size)                                                        \
        __host__ __device__ constexpr name(type x_, type y_, type z_, type w_)                     \
            : x(x_), y(y_), z(z_), w(w_)                                                           \
        {                                                                                          \
        }                                                                                          \
    };                                                                                             \
    __FW_BOTH name make_##name(type x, type y, type z, type w) { return name(x, y, z, w); }

/* 32 bytes: no access is that wide. */
#define __FW_WIDE4(type, name)                                                                     \
    struct __attribute__((aligned(16))) name {                                                     \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    __FW_BOTH name make_##name(type x, type y, type z, type w) { return name{x, y, z, w}; }

#define __FW_ODD(type, name)                                                                       \
    struct name##1 {                                                                               \
        type x;                                                                                    \
    };                                                                                             \
    struct name##3 {                                                                               \
        type x, y, z;                                                                              \
    };                                                                                             \
    __FW_BOTH name##1 make_##name##1(type x) { return name##1{x}; }                                \
    __FW_BOTH name##3 make_##name##3(type x, type y, type z) { return name##3{x, y, z}; }

#define __FW_VECTORS(type, name, size)                                                             \
    __FW_ODD(type, name)                                                                           \
    __FW_VECTOR2(type, name##2, size)                                                              \
    __FW_VECTOR4(type, name##4, size)

#define __FW_WIDE_VECTORS(type, name)                                                              \
    __FW_ODD(type, name)                                                                           \
    __FW_VECTOR2(type, name##2, 8)                                                                 \
    __FW_WIDE4(type, name##4)

__FW_VECTORS(signed char, char, 1)
__FW_VECTORS(unsigned char, uchar, 1)
__FW_VECTORS(short, short, 2)
__FW_VECTORS(unsigned short, ushort, 2)
__FW_VECTORS(int, int, 4)
__FW_VECTORS(unsigned int, uint, 4)
__FW_VECTORS(float, float, 4)
__FW_WIDE_VECTORS(long, long)
__FW_WIDE_VECTORS(unsigned long, ulong)
__FW_WIDE_VECTORS(long long, longlong)
__FW_WIDE_VECTORS(unsigned long long, ulonglong)
__FW_WIDE_VECTORS(double, double)

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const { return uint3{x, y, z}; }
};

/* ---- where a thread is ---- */

#define __FW_PLACE(name, sreg)                                                                     \
    struct __fw_##name {                                                                           \
        __declspec(property(get = __get_x)) unsigned x;                                            \
        __declspec(property(get = __get_y)) unsigned y;                                            \
        __declspec(property(get = __get_z)) unsigned z;                                            \
        static __device__ __forceinline__ unsigned __get_x()                                       \
        {                                                                                          \
            return __nvvm_read_ptx_sreg_##sreg##_x();                                              \
        }                                                                                          \
        static __device__ __forceinline__ unsigned __get_y()                                       \
        {                                                                                          \
            return __nvvm_read_ptx_sreg_##sreg##_y();                                              \
        }                                                                                          \
        static __device__ __forceinline__ unsigned __get_z()                                       \
        {                                                                                          \
            return __nvvm_read_ptx_sreg_##sreg##_z();                                              \
        }                                                                                          \
        __device__ operator uint3() const { return uint3{__get_x(), __get_y(), __get_z()}; }       \
        __device__ operator dim3() const { return dim3(__get_x(), __get_y(), __get_z()); }         \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) __fw_##name name;

__FW_PLACE(threadIdx, tid)
__FW_PLACE(blockIdx, ctaid)
__FW_PLACE(blockDim, ntid)
__FW_PLACE(gridDim, nctaid)

#define warpSize 32

/* ---- barriers, fences, votes, shuffles ---- */

#if !__has_builtin(__syncthreads)
__FW_DEVICE void __syncthreads() { __nvvm_barrier_sync(0); }
#endif
__FW_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__FW_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
__FW_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
__FW_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__FW_DEVICE void __threadfence() { __nvvm_membar_gl(); }
__FW_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
__FW_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
__FW_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__FW_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__FW_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
__FW_DEVICE unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
__FW_DEVICE unsigned __lanemask_lt()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

#define __FW_SHUFFLE(name, mode, argument, clamp)                                                  \
    __FW_DEVICE int name(unsigned mask, int v, argument by, int width = warpSize)                  \
    {                                                                                              \
        return __nvvm_shfl_sync_##mode##_i32(mask, v, (int)by,                                     \
                                             ((warpSize - width) << 8) | clamp);                   \
    }                                                                                              \
    __FW_DEVICE float name(unsigned mask, float v, argument by, int width = warpSize)              \
    {                                                                                              \
        return __nvvm_shfl_sync_##mode##_f32(mask, v, (int)by,                                     \
                                             ((warpSize - width) << 8) | clamp);                   \
    }                                                                                              \
    __FW_DEVICE unsigned name(unsigned mask, unsigned v, argument by, int width = warpSize)        \
    {                                                                                              \
        return (unsigned)name(mask, (int)v, by, width);                                            \
    }                                                                                              \
    __FW_DEVICE long long name(unsigned mask, long long v, argument by, int width = warpSize)      \
    {                                                                                              \
        unsigned low = name(mask, (unsigned)v, by, width);                                         \
        unsigned high = name(mask, (unsigned)((unsigned long long)v >> 32), by, width);            \
        return (long long)((unsigned long long)high << 32 | low);                                  \
    }                                                                                              \
    __FW_DEVICE unsigned long long name(unsigned mask, unsigned long long v, argument by,          \
                                        int width = warpSize)                                      \
    {                                                                                              \
        return (unsigned long long)name(mask, (long long)v, by, width);                            \
    }                                                                                              \
    __FW_DEVICE long name(unsigned mask, long v, argument by, int width = warpSize)                \
    {                                                                                              \
        return (long)name(mask, (long long)v, by, width);                                          \
    }                                                                                              \
    __FW_DEVICE unsigned long name(unsigned mask, unsigned long v, argument by,                    \
                                   int width = warpSize)                                           \
    {                                                                                              \
        return (unsigned long)name(mask, (long long)v, by, width);                                 \
    }                                                                                              \
    __FW_DEVICE double name(unsigned mask, double v, argument by, int width = warpSize)            \
    {                                                                                              \
        long long bits = name(mask, __builtin_bit_cast(long long, v), by, width);                  \
        return __builtin_bit_cast(double, bits);                                                   \
    }

__FW_SHUFFLE(__shfl_sync, idx, int, 0x1f)
__FW_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
__FW_SHUFFLE(__shfl_down_sync, down, unsigned, 0x1f)
__FW_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)

/* ---- atomics ---- */

__FW_DEVICE int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
__FW_DEVICE unsigned atomicAdd(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
__FW_DEVICE unsigned long long atomicAdd(unsigned long long *p, unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}
__FW_DEVICE float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
__FW_DEVICE double atomicAdd(double *p, double v) { return __nvvm_atom_add_gen_d(p, v); }
__FW_DEVICE int atomicSub(int *p, int v) { return __nvvm_atom_add_gen_i(p, -v); }
__FW_DEVICE unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }

#define __FW_ATOMIC(name, operation)                                                               \
    __FW_DEVICE int name(int *p, int v) { return __nvvm_atom_##operation##_gen_i(p, v); }          \
    __FW_DEVICE unsigned name(unsigned *p, unsigned v)                                             \
    {                                                                                              \
        return (unsigned)__nvvm_atom_##operation##_gen_i((int *)p, (int)v);                        \
    }                                                                                              \
    __FW_DEVICE unsigned long long name(unsigned long long *p, unsigned long long v)               \
    {                                                                                              \
        return (unsigned long long)__nvvm_atom_##operation##_gen_ll((long long *)p, (long long)v); \
    }
__FW_ATOMIC(atomicAnd, and)
__FW_ATOMIC(atomicOr, or)
__FW_ATOMIC(atomicXor, xor)
__FW_ATOMIC(atomicExch, xchg)
__FW_DEVICE float atomicExch(float *p, float v)
{
    return __builtin_bit_cast(float, atomicExch((int *)p, __builtin_bit_cast(int, v)));
}

#define __FW_ATOMIC_ORDER(name, operation)                                                         \
    __FW_DEVICE int name(int *p, int v) { return __nvvm_atom_##operation##_gen_i(p, v); }          \
    __FW_DEVICE unsigned name(unsigned *p, unsigned v)                                             \
    {                                                                                              \
        return __nvvm_atom_##operation##_gen_ui(p, v);                                             \
    }                                                                                              \
    __FW_DEVICE long long name(long long *p, long long v)                                          \
    {                                                                                              \
        return __nvvm_atom_##operation##_gen_ll(p, v);                                             \
    }                                                                                              \
    __FW_DEVICE unsigned long long name(unsigned long long *p, unsigned long long v)               \
    {                                                                                              \
        return __nvvm_atom_##operation##_gen_ull(p, v);                                            \
    }
__FW_ATOMIC_ORDER(atomicMin, min)
__FW_ATOMIC_ORDER(atomicMax, max)
__FW_DEVICE unsigned atomicInc(unsigned *p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
__FW_DEVICE unsigned atomicDec(unsigned *p, unsigned v) { return __nvvm_atom_dec_gen_ui(p, v); }
__FW_DEVICE int atomicCAS(int *p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
__FW_DEVICE unsigned atomicCAS(unsigned *p, unsigned c, unsigned v)
{
    return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)c, (int)v);
}
__FW_DEVICE unsigned long long atomicCAS(unsigned long long *p, unsigned long long c,
                                         unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)c, (long long)v);
}
#define atomicAdd_block  atomicAdd
#define atomicAdd_system atomicAdd

/* ---- loads, bits, conversions ---- */

#define __FW_LDG(type, suffix, constraint, bits)                                                   \
    __FW_DEVICE type __ldg(const type *p)                                                          \
    {                                                                                              \
        type v;                                                                                    \
        asm("ld.global.nc." suffix " %0, [%1];" : "=" constraint(v) : "l"(p));                     \
        return v;                                                                                  \
    }
__FW_LDG(float, "f32", "f", 32)
__FW_LDG(double, "f64", "d", 64)
__FW_LDG(int, "u32", "r", 32)
__FW_LDG(unsigned, "u32", "r", 32)
__FW_LDG(long long, "u64", "l", 64)
__FW_LDG(unsigned long long, "u64", "l", 64)
__FW_DEVICE float2 __ldg(const float2 *p)
{
    float2 v;
    asm("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "l"(p));
    return v;
}
__FW_DEVICE float4 __ldg(const float4 *p)
{
    float4 v;
    asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(p));
    return v;
}
__FW_DEVICE double2 __ldg(const double2 *p)
{
    double2 v;
    asm("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(p));
    return v;
}

__FW_DEVICE int __popc(unsigned v) { return __builtin_popcount(v); }
__FW_DEVICE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
__FW_DEVICE int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
__FW_DEVICE int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
__FW_DEVICE int __ffs(int v) { return __builtin_ffs(v); }
__FW_DEVICE int __ffsll(long long v) { return __builtin_ffsll(v); }
__FW_DEVICE unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
__FW_DEVICE unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
__FW_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    unsigned v;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(s));
    return v;
}
__FW_DEVICE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
__FW_DEVICE unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
__FW_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__FW_DEVICE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
__FW_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned s)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (s & 31)) >> 32);
}
__FW_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned s)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (s & 31));
}
__FW_DEVICE int __dp4a(int a, int b, int c)
{
    int v;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(c));
    return v;
}
__FW_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    unsigned v;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(c));
    return v;
}
__FW_DEVICE unsigned __sad(int a, int b, unsigned c)
{
    unsigned v;
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(c));
    return v;
}
__FW_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)(__attribute__((address_space(3))) const void *)p;
}
__FW_DEVICE size_t __cvta_generic_to_global(const void *p)
{
    return (size_t)(__attribute__((address_space(1))) const void *)p;
}
#define __FW_REDUCE(name, type, instruction)                                                       \
    __FW_DEVICE type name(unsigned mask, type x)                                                   \
    {                                                                                              \
        type v;                                                                                    \
        asm volatile("redux.sync." instruction " %0, %1, %2;" : "=r"(v) : "r"(x), "r"(mask));      \
        return v;                                                                                  \
    }
__FW_REDUCE(__reduce_add_sync, unsigned, "add.u32")
__FW_REDUCE(__reduce_add_sync, int, "add.s32")
__FW_REDUCE(__reduce_min_sync, unsigned, "min.u32")
__FW_REDUCE(__reduce_min_sync, int, "min.s32")
__FW_REDUCE(__reduce_max_sync, unsigned, "max.u32")
__FW_REDUCE(__reduce_max_sync, int, "max.s32")
__FW_REDUCE(__reduce_and_sync, unsigned, "and.b32")
__FW_REDUCE(__reduce_or_sync, unsigned, "or.b32")
__FW_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
__FW_DEVICE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
__FW_DEVICE unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
__FW_DEVICE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
__FW_DEVICE float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
__FW_DEVICE long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
__FW_DEVICE double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
__FW_DEVICE float __int2float_rn(int v) { return (float)v; }
__FW_DEVICE int __float2int_rn(float v) { return __nvvm_f2i_rn(v); }
__FW_DEVICE int __float2int_rz(float v) { return (int)v; }
__FW_DEVICE int __float2int_rd(float v) { return __nvvm_f2i_rm(v); }
__FW_DEVICE int __float2int_ru(float v) { return __nvvm_f2i_rp(v); }
__FW_DEVICE unsigned __float2uint_rn(float v) { return __nvvm_f2ui_rn(v); }
__FW_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
__FW_DEVICE int clock() { return __nvvm_read_ptx_sreg_clock(); }
__FW_DEVICE void __trap() { asm volatile("trap;"); }
__FW_DEVICE void __nanosleep(unsigned t) { asm volatile("nanosleep.u32 %0;" ::"r"(t)); }

/* ---- minima, maxima ---- */

#define __FW_ORDER(type)                                                                           \
    __FW_BOTH type min(type a, type b) { return a < b ? a : b; }                                   \
    __FW_BOTH type max(type a, type b) { return a > b ? a : b; }
__FW_ORDER(int)
__FW_ORDER(unsigned)
__FW_ORDER(long)
__FW_ORDER(unsigned long)
__FW_ORDER(long long)
__FW_ORDER(unsigned long long)
__FW_BOTH unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
__FW_BOTH unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
__FW_BOTH unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
__FW_BOTH unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
__FW_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
__FW_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
__FW_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
__FW_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
__FW_BOTH double min(float a, double b) { return __builtin_fmin((double)a, b); }
__FW_BOTH double min(double a, float b) { return __builtin_fmin(a, (double)b); }
__FW_BOTH double max(float a, double b) { return __builtin_fmax((double)a, b); }
__FW_BOTH double max(double a, float b) { return __builtin_fmax(a, (double)b); }

/* ---- f32 mathematics ---- */

__FW_DEVICE float __fw_ex2(float x) { return __nvvm_ex2_approx_ftz_f(x); }
__FW_DEVICE float __fw_lg2(float x) { return __nvvm_lg2_approx_ftz_f(x); }
__FW_DEVICE float __fw_rcp(float x)
{
    float v;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(v) : "f"(x));
    return v;
}
__FW_DEVICE float __frcp_rn(float x) { return __nvvm_rcp_rn_f(x); }
__FW_DEVICE float __fsqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }
__FW_DEVICE float __frsqrt_rn(float x) { return __nvvm_rsqrt_approx_f(x); }
__FW_DEVICE float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
__FW_DEVICE float __fsub_rn(float a, float b) { return __nvvm_add_rn_f(a, -b); }
__FW_DEVICE float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
__FW_DEVICE float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
__FW_DEVICE float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
__FW_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
__FW_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
__FW_DEVICE float __expf(float x) { return __fw_ex2(x * 1.4426950408889634f); }
__FW_DEVICE float __exp10f(float x) { return __fw_ex2(x * 3.3219280948873623f); }
__FW_DEVICE float __logf(float x) { return __fw_lg2(x) * 0.6931471805599453f; }
__FW_DEVICE float __log2f(float x) { return __fw_lg2(x); }
__FW_DEVICE float __log10f(float x) { return __fw_lg2(x) * 0.3010299956639812f; }
__FW_DEVICE float __powf(float x, float y) { return __fw_ex2(y * __fw_lg2(x)); }
__FW_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
__FW_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
__FW_DEVICE float __tanf(float x) { return __sinf(x) * __fw_rcp(__cosf(x)); }
__FW_DEVICE void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}

__FW_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
__FW_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
__FW_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__FW_DEVICE float fminf(float a, float b) { return __builtin_fminf(a, b); }
__FW_DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__FW_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
__FW_DEVICE float floorf(float x) { return __builtin_floorf(x); }
__FW_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
__FW_DEVICE float truncf(float x) { return __builtin_truncf(x); }
__FW_DEVICE float rintf(float x) { return __builtin_rintf(x); }
__FW_DEVICE float nearbyintf(float x) { return __builtin_nearbyintf(x); }
__FW_DEVICE float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
__FW_DEVICE float roundf(float x)
{
    float t = truncf(x);
    return fabsf(x - t) >= 0.5f ? t + copysignf(1.0f, x) : t;
}
__FW_DEVICE float fmodf(float x, float y) { return fmaf(-truncf(x / y), y, x); }
__FW_DEVICE float fdimf(float x, float y) { return x > y ? x - y : 0.0f; }
__FW_DEVICE float hypotf(float x, float y) { return sqrtf(fmaf(x, x, y * y)); }

/* exp: x = n ln 2 + r, 2^n from the exponent unit, e^r = 2^(r / ln 2). */
__FW_DEVICE float expf(float x)
{
    float n = rintf(fmaxf(fminf(x, 89.0f), -104.0f) * 1.4426950408889634f);
    float r = fmaf(n, -0.693147182f, x), low = fmaf(n, 1.90465421e-9f, r);
    return x > 89.0f     ? __int_as_float(0x7f800000)
           : x < -104.0f ? 0.0f
                         : __fw_ex2(low * 1.4426950408889634f) * __nvvm_ex2_approx_f(n);
}
__FW_DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
__FW_DEVICE float exp10f(float x) { return expf(x * 2.302585092994046f); }
__FW_DEVICE float expm1f(float x)
{
    return fabsf(x) < 0.25f
               ? x * fmaf(x, fmaf(x, fmaf(x, fmaf(x, 1.0f / 120, 1.0f / 24), 1.0f / 6), 0.5f), 1.0f)
               : expf(x) - 1.0f;
}

/* log: x = 2^e m with m in [2/3, 4/3); log m = 2 atanh((m - 1) / (m + 1)). */
__FW_DEVICE float logf(float x)
{
    bool tiny = x < 1.17549435e-38f;
    float scaled = tiny ? x * 8388608.0f : x;
    int bits = __float_as_int(scaled);
    int e = (bits - 0x3f2aaaab) >> 23;
    float m = __int_as_float(bits - (e << 23));
    float s = __fdividef(m - 1.0f, m + 1.0f), t = s * s;
    float p = fmaf(t, fmaf(t, fmaf(t, 0.2222222f, 0.28571429f), 0.4f), 0.66666669f);
    float y = fmaf((float)(e - (tiny ? 23 : 0)), 0.69314718f, fmaf(s * t, p, 2.0f * s));
    y = bits >= 0x7f800000 ? scaled : y;
    return x == 0.0f ? -__int_as_float(0x7f800000) : x < 0.0f ? __int_as_float(0x7fffffff) : y;
}
__FW_DEVICE float log2f(float x) { return __nvvm_lg2_approx_f(x); }
__FW_DEVICE float log10f(float x) { return logf(x) * 0.4342944819f; }
__FW_DEVICE float log1pf(float x)
{
    return fabsf(x) < 1e-3f ? x * fmaf(x, fmaf(x, 0.33333333f, -0.5f), 1.0f) : logf(1.0f + x);
}
__FW_DEVICE float powf(float x, float y)
{
    float v = exp2f(y * log2f(fabsf(x)));
    bool whole = truncf(y) == y, odd = whole && fabsf(fmodf(y, 2.0f)) == 1.0f;
    v = x < 0.0f ? (whole ? (odd ? -v : v) : __int_as_float(0x7fffffff)) : v;
    return y == 0.0f || x == 1.0f ? 1.0f : v;
}
__FW_DEVICE float cbrtf(float x) { return copysignf(exp2f(log2f(fabsf(x)) * 0.33333333f), x); }

/* sin, cos: x = n pi/2 + r in three parts of pi/2 (Cody and Waite), then a polynomial of r. */
__FW_DEVICE float __fw_reduce(float x, int *n)
{
    float k = rintf(x * 0.636619772f);
    *n = (int)k;
    return fmaf(k, -5.39030253e-15f, fmaf(k, -7.54978942e-8f, fmaf(k, -1.57079625f, x)));
}
__FW_DEVICE float __fw_sine(float r)
{
    float t = r * r;
    float p = fmaf(t, fmaf(t, fmaf(t, 2.75573192e-6f, -1.98412698e-4f), 8.33333333e-3f),
                   -0.166666667f);
    return fmaf(r * t, p, r);
}
__FW_DEVICE float __fw_cosine(float r)
{
    float t = r * r;
    float p = fmaf(t, fmaf(t, fmaf(t, 2.48015873e-5f, -1.38888889e-3f), 4.16666667e-2f), -0.5f);
    return fmaf(t, p, 1.0f);
}
__FW_DEVICE float sinf(float x)
{
    int n;
    float r = __fw_reduce(x, &n), v = n & 1 ? __fw_cosine(r) : __fw_sine(r);
    return n & 2 ? -v : v;
}
__FW_DEVICE float cosf(float x)
{
    int n;
    float r = __fw_reduce(x, &n), v = n & 1 ? __fw_sine(r) : __fw_cosine(r);
    return (n + 1) & 2 ? -v : v;
}
__FW_DEVICE float tanf(float x) { return sinf(x) / cosf(x); }
__FW_DEVICE void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
__FW_DEVICE float sinhf(float x) { return 0.5f * (expf(x) - expf(-x)); }
__FW_DEVICE float coshf(float x) { return 0.5f * (expf(x) + expf(-x)); }
__FW_DEVICE float tanhf(float x)
{
    float e = expf(2.0f * fabsf(x)), t = x * x;
    float p = fmaf(t, fmaf(t, fmaf(t, 62.0f / 2835, -17.0f / 315), 2.0f / 15), -1.0f / 3);
    return fabsf(x) < 0.25f ? fmaf(x * t, p, x) : copysignf(1.0f - 2.0f / (e + 1.0f), x);
}

/* ---- f64 mathematics ---- */

__FW_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
__FW_DEVICE double rsqrt(double x) { return 1.0 / __nvvm_sqrt_rn_d(x); }
__FW_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__FW_DEVICE double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
__FW_DEVICE double __dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
__FW_DEVICE double __dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
__FW_DEVICE double __ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
__FW_DEVICE double __drcp_rn(double x) { return __nvvm_rcp_rn_d(x); }
__FW_DEVICE double __dsqrt_rn(double x) { return __nvvm_sqrt_rn_d(x); }
__FW_DEVICE double fmin(double a, double b) { return __builtin_fmin(a, b); }
__FW_DEVICE double fmax(double a, double b) { return __builtin_fmax(a, b); }
__FW_DEVICE double fabs(double x) { return __builtin_fabs(x); }
__FW_DEVICE double floor(double x) { return __builtin_floor(x); }
__FW_DEVICE double ceil(double x) { return __builtin_ceil(x); }
__FW_DEVICE double trunc(double x) { return __builtin_trunc(x); }
__FW_DEVICE double rint(double x) { return __builtin_rint(x); }
__FW_DEVICE double copysign(double x, double y) { return __builtin_copysign(x, y); }
__FW_DEVICE double round(double x)
{
    double t = trunc(x);
    return fabs(x - t) >= 0.5 ? t + copysign(1.0, x) : t;
}
__FW_DEVICE double fmod(double x, double y) { return fma(-trunc(x / y), y, x); }
__FW_DEVICE double hypot(double x, double y) { return sqrt(fma(x, x, y * y)); }

__FW_DEVICE double exp(double x)
{
    double n = rint(fmax(fmin(x, 710.0), -746.0) * 1.4426950408889634);
    double r = fma(n, -2.3190468138462996e-17, fma(n, -0.6931471805599453, x)), p = 1.0 / 6227020800.0;
    const double terms[] = {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
                            1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,     1.0 / 120.0,
                            1.0 / 24.0,        1.0 / 6.0,        0.5,             1.0,
                            1.0};
#pragma unroll
    for (int i = 0; i < 13; i++)
        p = fma(p, r, terms[i]);
    int k = (int)n, half = k / 2;
    double a = __longlong_as_double((long long)(half + 1023) << 52);
    double b = __longlong_as_double((long long)(k - half + 1023) << 52);
    return x > 709.79 ? __longlong_as_double(0x7ff0000000000000) : x < -745.2 ? 0.0 : p * a * b;
}
__FW_DEVICE double exp2(double x) { return exp(x * 0.6931471805599453); }
__FW_DEVICE double log(double x)
{
    bool tiny = x < 2.2250738585072014e-308;
    double scaled = tiny ? x * 18014398509481984.0 : x;
    long long bits = __double_as_longlong(scaled);
    long long e = (bits - 0x3fe5555555555555) >> 52;
    double m = __longlong_as_double(bits - (e << 52));
    double s = (m - 1.0) / (m + 1.0), t = s * s, p = 2.0 / 21;
#pragma unroll
    for (int i = 19; i >= 3; i -= 2)
        p = fma(p, t, 2.0 / i);
    double y = fma((double)(e - (tiny ? 54 : 0)), 0.6931471805599453, fma(s * t, p, 2.0 * s));
    y = bits >= 0x7ff0000000000000 ? scaled : y;
    return x == 0.0  ? -__longlong_as_double(0x7ff0000000000000)
           : x < 0.0 ? __longlong_as_double(0x7fffffffffffffff)
                     : y;
}
__FW_DEVICE double log2(double x) { return log(x) * 1.4426950408889634; }
__FW_DEVICE double log10(double x) { return log(x) * 0.4342944819032518; }
__FW_DEVICE double pow(double x, double y)
{
    double v = exp(y * log(fabs(x)));
    bool whole = trunc(y) == y, odd = whole && fabs(fmod(y, 2.0)) == 1.0;
    v = x < 0.0 ? (whole ? (odd ? -v : v) : __longlong_as_double(0x7fffffffffffffff)) : v;
    return y == 0.0 || x == 1.0 ? 1.0 : v;
}
__FW_DEVICE double __fw_reduce(double x, int *n)
{
    double k = rint(x * 0.6366197723675814);
    *n = (int)k;
    return fma(k, -6.123233995736766e-17, fma(k, -1.5707963267948966, x));
}
__FW_DEVICE double __fw_sine(double r)
{
    double t = r * r, p = 1.0 / 355687428096000.0;
    const double terms[] = {-1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0,
                            1.0 / 362880.0,         -1.0 / 5040.0,      1.0 / 120.0,
                            -1.0 / 6.0};
#pragma unroll
    for (int i = 0; i < 7; i++)
        p = fma(p, t, terms[i]);
    return fma(r * t, p, r);
}
__FW_DEVICE double __fw_cosine(double r)
{
    double t = r * r, p = 1.0 / 20922789888000.0;
    const double terms[] = {-1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
                            1.0 / 40320.0,        -1.0 / 720.0,      1.0 / 24.0,
                            -0.5};
#pragma unroll
    for (int i = 0; i < 7; i++)
        p = fma(p, t, terms[i]);
    return fma(t, p, 1.0);
}
__FW_DEVICE double sin(double x)
{
    int n;
    double r = __fw_reduce(x, &n), v = n & 1 ? __fw_cosine(r) : __fw_sine(r);
    return n & 2 ? -v : v;
}
__FW_DEVICE double cos(double x)
{
    int n;
    double r = __fw_reduce(x, &n), v = n & 1 ? __fw_sine(r) : __fw_cosine(r);
    return (n + 1) & 2 ? -v : v;
}
__FW_DEVICE double tan(double x) { return sin(x) / cos(x); }
__FW_DEVICE double tanh(double x)
{
    double e = exp(2.0 * fabs(x)), t = x * x, p = 21844.0 / 6081075;
    const double terms[] = {-1382.0 / 155925, 62.0 / 2835, -17.0 / 315, 2.0 / 15, -1.0 / 3};
#pragma unroll
    for (int i = 0; i < 5; i++)
        p = fma(p, t, terms[i]);
    return fabs(x) < 0.1 ? fma(x * t, p, x) : copysign(1.0 - 2.0 / (e + 1.0), x);
}

/* ---- the same names for f32, as C++ overloads ---- */

#define __FW_OVERLOAD1(name) __FW_DEVICE float name(float x) { return name##f(x); }
__FW_OVERLOAD1(sqrt)
__FW_OVERLOAD1(rsqrt)
__FW_OVERLOAD1(exp)
__FW_OVERLOAD1(exp2)
__FW_OVERLOAD1(log)
__FW_OVERLOAD1(log2)
__FW_OVERLOAD1(log10)
__FW_OVERLOAD1(sin)
__FW_OVERLOAD1(cos)
__FW_OVERLOAD1(tan)
__FW_OVERLOAD1(tanh)
__FW_OVERLOAD1(fabs)
__FW_OVERLOAD1(floor)
__FW_OVERLOAD1(ceil)
__FW_OVERLOAD1(trunc)
__FW_OVERLOAD1(rint)
__FW_OVERLOAD1(round)
__FW_DEVICE float pow(float x, float y) { return powf(x, y); }
__FW_DEVICE float pow(float x, int y) { return powf(x, (float)y); }
__FW_DEVICE double pow(double x, int y) { return pow(x, (double)y); }
__FW_DEVICE float fmod(float x, float y) { return fmodf(x, y); }
__FW_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
__FW_DEVICE float fmin(float a, float b) { return fminf(a, b); }
__FW_DEVICE float fmax(float a, float b) { return fmaxf(a, b); }
__FW_DEVICE float abs(float x) { return __builtin_fabsf(x); }
__FW_DEVICE double abs(double x) { return __builtin_fabs(x); }
__FW_DEVICE int abs(int x) { return __builtin_abs(x); }
__FW_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
__FW_DEVICE bool isnan(float x) { return x != x; }
__FW_DEVICE bool isnan(double x) { return x != x; }
__FW_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
__FW_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
__FW_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
__FW_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }

/* ---- output; clang turns a call of printf on the device into vprintf ---- */

extern "C" __device__ int vprintf(const char *, const char *);
extern "C" __device__ int printf(const char *, ...);

/* ---- the host's side: declarations alone ---- */

typedef enum cudaError { cudaSuccess = 0 } cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
extern "C" {
cudaError_t cudaFree(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaSetDevice(int);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
}
template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> cudaError_t cudaMallocManaged(T **, size_t, unsigned = 1);
template <class T> cudaError_t cudaMallocHost(T **, size_t, unsigned = 0);

#endif
