/* CUDA C++ for clang without a CUDA toolkit: what self-contained kernels use of the device side.
 *
 * Included before every CUDA source that clang compiles, and behind it, in this order, its other parts:
 * forewarp_cuda_memory.h (cached loads and stores, address spaces, asynchronous copies, bits),
 * forewarp_cuda_atomics.h, forewarp_cuda_math.h, forewarp_cuda_math64.h, forewarp_cuda_parts.h.  A function is a PTX
 * instruction or a short expansion; what there is is in tests/property/device_header.cu, which uses each.
 * Of the host's side there are declarations alone, so that a file with host code can be read. */
#ifndef FOREWARP_CUDA_H
#define FOREWARP_CUDA_H

/* Nothing is included from here: the compiler's list of files would not say so. */
typedef __SIZE_TYPE__ size_t;
#ifndef NULL
#define NULL __null
#endif

/* Of <math.h> and <limits.h>, which nvcc includes before every source. */
#define INFINITY   (__builtin_inff())
#define NAN        (__builtin_nanf(""))
#define HUGE_VALF  (__builtin_huge_valf())
#define HUGE_VAL   (__builtin_huge_val())
#define M_E        2.7182818284590452354
#define M_LOG2E    1.4426950408889634074
#define M_LOG10E   0.43429448190325182765
#define M_LN2      0.69314718055994530942
#define M_LN10     2.30258509299404568402
#define M_PI       3.14159265358979323846
#define M_PI_2     1.57079632679489661923
#define M_PI_4     0.78539816339744830962
#define M_1_PI     0.31830988618379067154
#define M_2_PI     0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2    1.41421356237309504880
#define M_SQRT1_2  0.70710678118654752440
#define SCHAR_MAX  __SCHAR_MAX__
#define SCHAR_MIN  (-__SCHAR_MAX__ - 1)
#define UCHAR_MAX  (__SCHAR_MAX__ * 2 + 1)
#define SHRT_MAX   __SHRT_MAX__
#define SHRT_MIN   (-__SHRT_MAX__ - 1)
#define USHRT_MAX  (__SHRT_MAX__ * 2 + 1)
#define INT_MAX    __INT_MAX__
#define INT_MIN    (-__INT_MAX__ - 1)
#define UINT_MAX   (__INT_MAX__ * 2U + 1U)
#define LONG_MAX   __LONG_MAX__
#define LONG_MIN   (-__LONG_MAX__ - 1L)
#define ULONG_MAX  (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MAX  __LONG_LONG_MAX__
#define LLONG_MIN  (-__LONG_LONG_MAX__ - 1LL)
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)

#define __host__              __attribute__((host))
#define __device__            __attribute__((device))
#define __global__            __attribute__((global))
#define __shared__            __attribute__((shared))
#define __constant__          __attribute__((constant))
#define __managed__           __attribute__((managed))
#define __noinline__          __attribute__((noinline))
#define __forceinline__       __inline__ __attribute__((always_inline))
#define __align__(n)          __attribute__((aligned(n)))
#define __inline_hint__
#define __grid_constant__
#define __restrict            __restrict__
#define __CUDACC__            1
#define CUDA_VERSION          13000
#define CUDART_VERSION        13000

/* Threads, blocks a multiprocessor; blocks of a cluster, which clang up to 15 does not take, are dropped:
 * they are at most. */
#define __FW_BOUNDS1(threads)                   __attribute__((launch_bounds(threads)))
#define __FW_BOUNDS2(threads, blocks)           __attribute__((launch_bounds(threads, blocks)))
#define __FW_BOUNDS3(threads, blocks, clusters) __attribute__((launch_bounds(threads, blocks)))
#define __FW_FOURTH(a, b, c, fourth, ...)       fourth
#define __launch_bounds__(...)                                                                     \
    __FW_FOURTH(__VA_ARGS__, __FW_BOUNDS3, __FW_BOUNDS2, __FW_BOUNDS1, )(__VA_ARGS__)

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
#define __FW_LANES(name)                                                                           \
    __FW_DEVICE unsigned __##name()                                                                \
    {                                                                                              \
        unsigned mask;                                                                             \
        asm("mov.u32 %0, %%" #name ";" : "=r"(mask));                                              \
        return mask;                                                                               \
    }
__FW_LANES(lanemask_eq)
__FW_LANES(lanemask_le)
__FW_LANES(lanemask_lt)
__FW_LANES(lanemask_ge)
__FW_LANES(lanemask_gt)
__FW_LANES(laneid)

/* The n-th set bit of the mask at or behind a base: its place. */
__FW_DEVICE unsigned __fns(unsigned mask, unsigned base, int n)
{
    unsigned v;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(mask), "r"(base), "r"(n));
    return v;
}

#define __FW_MATCH(type, as, bits, constraint)                                                     \
    __FW_DEVICE unsigned __match_any_sync(unsigned mask, type x)                                   \
    {                                                                                              \
        unsigned v;                                                                                \
        asm volatile("match.any.sync." bits " %0, %1, %2;"                                         \
                     : "=r"(v)                                                                     \
                     : constraint(__builtin_bit_cast(as, x)), "r"(mask));                          \
        return v;                                                                                  \
    }                                                                                              \
    __FW_DEVICE unsigned __match_all_sync(unsigned mask, type x, int *same)                        \
    {                                                                                              \
        unsigned v;                                                                                \
        asm volatile("{.reg .pred p; match.all.sync." bits " %0|p, %2, %3; selp.s32 %1, 1, 0, p;}"  \
                     : "=r"(v), "=r"(*same)                                                        \
                     : constraint(__builtin_bit_cast(as, x)), "r"(mask));                          \
        return v;                                                                                  \
    }
__FW_MATCH(int, int, "b32", "r")
__FW_MATCH(unsigned, int, "b32", "r")
__FW_MATCH(float, int, "b32", "r")
__FW_MATCH(long, long, "b64", "l")
__FW_MATCH(unsigned long, long, "b64", "l")
__FW_MATCH(long long, long, "b64", "l")
__FW_MATCH(unsigned long long, long, "b64", "l")
__FW_MATCH(double, long, "b64", "l")

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

/* ---- reductions of a warp ---- */

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

/* ---- what the device does besides; clang turns a call of printf on the device into vprintf ---- */

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t);
__device__ void free(void *);
__device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
}
/* What assert of the C library calls. */
extern "C" {
static __inline__ __device__ __attribute__((noreturn, unused)) void
__assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    __assertfail(what, file, line, function, 1);
    __builtin_unreachable();
}
}
__FW_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
__FW_DEVICE int clock() { return __nvvm_read_ptx_sreg_clock(); }
__FW_DEVICE void __trap() { asm volatile("trap;"); }
__FW_DEVICE void __brkpt() { asm volatile("brkpt;"); }
__FW_DEVICE void __nanosleep(unsigned t) { asm volatile("nanosleep.u32 %0;" ::"r"(t)); }

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
