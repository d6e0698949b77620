/* The second part of forewarp_cuda.h: loads and stores with cache operators, address spaces,
 * asynchronous copies, bits and bytes. */
#ifndef FOREWARP_CUDA_MEMORY_H
#define FOREWARP_CUDA_MEMORY_H

/* ---- loads and stores with a cache operator ---- */

/* X(type, of PTX, constraint, type of a register) */
#define __FW_SCALARS(X)                                                                            \
    X(char, "s8", "r", int)                                                                        \
    X(signed char, "s8", "r", int)                                                                 \
    X(unsigned char, "u8", "r", int)                                                               \
    X(short, "s16", "h", short)                                                                    \
    X(unsigned short, "u16", "h", unsigned short)                                                  \
    X(int, "u32", "r", int)                                                                        \
    X(unsigned, "u32", "r", unsigned)                                                              \
    X(long, "u64", "l", long)                                                                      \
    X(unsigned long, "u64", "l", unsigned long)                                                    \
    X(long long, "u64", "l", long long)                                                            \
    X(unsigned long long, "u64", "l", unsigned long long)                                          \
    X(float, "f32", "f", float)                                                                    \
    X(double, "f64", "d", double)

/* X(type, of PTX, constraint, type of a register, type of a member) */
#define __FW_PAIRS(X)                                                                              \
    X(char2, "v2.s8", "r", int, signed char)                                                       \
    X(uchar2, "v2.u8", "r", int, unsigned char)                                                    \
    X(short2, "v2.s16", "h", short, short)                                                         \
    X(ushort2, "v2.u16", "h", unsigned short, unsigned short)                                      \
    X(int2, "v2.u32", "r", int, int)                                                               \
    X(uint2, "v2.u32", "r", unsigned, unsigned)                                                    \
    X(longlong2, "v2.u64", "l", long long, long long)                                              \
    X(ulonglong2, "v2.u64", "l", unsigned long long, unsigned long long)                           \
    X(float2, "v2.f32", "f", float, float)                                                         \
    X(double2, "v2.f64", "d", double, double)

#define __FW_QUADS(X)                                                                              \
    X(char4, "v4.s8", "r", int, signed char)                                                       \
    X(uchar4, "v4.u8", "r", int, unsigned char)                                                    \
    X(short4, "v4.s16", "h", short, short)                                                         \
    X(ushort4, "v4.u16", "h", unsigned short, unsigned short)                                      \
    X(int4, "v4.u32", "r", int, int)                                                               \
    X(uint4, "v4.u32", "r", unsigned, unsigned)                                                    \
    X(float4, "v4.f32", "f", float, float)

#define __FW_LOAD1(name, how, type, ptx, constraint, register_type)                                \
    __FW_DEVICE type name(const type *p)                                                           \
    {                                                                                              \
        register_type v;                                                                           \
        asm(how "." ptx " %0, [%1];" : "=" constraint(v) : "l"(p));                                \
        return (type)v;                                                                            \
    }
#define __FW_LOAD2(name, how, type, ptx, constraint, register_type, member)                        \
    __FW_DEVICE type name(const type *p)                                                           \
    {                                                                                              \
        register_type x, y;                                                                        \
        asm(how "." ptx " {%0, %1}, [%2];" : "=" constraint(x), "=" constraint(y) : "l"(p));       \
        return type((member)x, (member)y);                                                         \
    }
#define __FW_LOAD4(name, how, type, ptx, constraint, register_type, member)                        \
    __FW_DEVICE type name(const type *p)                                                           \
    {                                                                                              \
        register_type x, y, z, w;                                                                  \
        asm(how "." ptx " {%0, %1, %2, %3}, [%4];"                                                 \
            : "=" constraint(x), "=" constraint(y), "=" constraint(z), "=" constraint(w)           \
            : "l"(p));                                                                             \
        return type((member)x, (member)y, (member)z, (member)w);                                   \
    }
#define __FW_STORE1(name, how, type, ptx, constraint, register_type)                               \
    __FW_DEVICE void name(type *p, type v)                                                         \
    {                                                                                              \
        asm volatile(how "." ptx " [%0], %1;" ::"l"(p), constraint((register_type)v) : "memory");  \
    }
#define __FW_STORE2(name, how, type, ptx, constraint, register_type, member)                       \
    __FW_DEVICE void name(type *p, type v)                                                         \
    {                                                                                              \
        asm volatile(how "." ptx " [%0], {%1, %2};" ::"l"(p), constraint((register_type)v.x),      \
                     constraint((register_type)v.y)                                                \
                     : "memory");                                                                  \
    }
#define __FW_STORE4(name, how, type, ptx, constraint, register_type, member)                       \
    __FW_DEVICE void name(type *p, type v)                                                         \
    {                                                                                              \
        asm volatile(how "." ptx " [%0], {%1, %2, %3, %4};" ::"l"(p),                              \
                     constraint((register_type)v.x), constraint((register_type)v.y),               \
                     constraint((register_type)v.z), constraint((register_type)v.w)                \
                     : "memory");                                                                  \
    }

#define __FW_LDG1(...) __FW_LOAD1(__ldg, "ld.global.nc", __VA_ARGS__)
#define __FW_LDG2(...) __FW_LOAD2(__ldg, "ld.global.nc", __VA_ARGS__)
#define __FW_LDG4(...) __FW_LOAD4(__ldg, "ld.global.nc", __VA_ARGS__)
__FW_SCALARS(__FW_LDG1)
__FW_PAIRS(__FW_LDG2)
__FW_QUADS(__FW_LDG4)

#define __FW_LDCA1(...) __FW_LOAD1(__ldca, "ld.global.ca", __VA_ARGS__)
#define __FW_LDCA2(...) __FW_LOAD2(__ldca, "ld.global.ca", __VA_ARGS__)
#define __FW_LDCA4(...) __FW_LOAD4(__ldca, "ld.global.ca", __VA_ARGS__)
__FW_SCALARS(__FW_LDCA1)
__FW_PAIRS(__FW_LDCA2)
__FW_QUADS(__FW_LDCA4)

#define __FW_LDCG1(...) __FW_LOAD1(__ldcg, "ld.global.cg", __VA_ARGS__)
#define __FW_LDCG2(...) __FW_LOAD2(__ldcg, "ld.global.cg", __VA_ARGS__)
#define __FW_LDCG4(...) __FW_LOAD4(__ldcg, "ld.global.cg", __VA_ARGS__)
__FW_SCALARS(__FW_LDCG1)
__FW_PAIRS(__FW_LDCG2)
__FW_QUADS(__FW_LDCG4)

#define __FW_LDCS1(...) __FW_LOAD1(__ldcs, "ld.global.cs", __VA_ARGS__)
#define __FW_LDCS2(...) __FW_LOAD2(__ldcs, "ld.global.cs", __VA_ARGS__)
#define __FW_LDCS4(...) __FW_LOAD4(__ldcs, "ld.global.cs", __VA_ARGS__)
__FW_SCALARS(__FW_LDCS1)
__FW_PAIRS(__FW_LDCS2)
__FW_QUADS(__FW_LDCS4)

#define __FW_LDLU1(...) __FW_LOAD1(__ldlu, "ld.global.lu", __VA_ARGS__)
#define __FW_LDLU2(...) __FW_LOAD2(__ldlu, "ld.global.lu", __VA_ARGS__)
#define __FW_LDLU4(...) __FW_LOAD4(__ldlu, "ld.global.lu", __VA_ARGS__)
__FW_SCALARS(__FW_LDLU1)
__FW_PAIRS(__FW_LDLU2)
__FW_QUADS(__FW_LDLU4)

#define __FW_LDCV1(...) __FW_LOAD1(__ldcv, "ld.volatile.global", __VA_ARGS__)
#define __FW_LDCV2(...) __FW_LOAD2(__ldcv, "ld.volatile.global", __VA_ARGS__)
#define __FW_LDCV4(...) __FW_LOAD4(__ldcv, "ld.volatile.global", __VA_ARGS__)
__FW_SCALARS(__FW_LDCV1)
__FW_PAIRS(__FW_LDCV2)
__FW_QUADS(__FW_LDCV4)

#define __FW_STWB1(...) __FW_STORE1(__stwb, "st.global.wb", __VA_ARGS__)
#define __FW_STWB2(...) __FW_STORE2(__stwb, "st.global.wb", __VA_ARGS__)
#define __FW_STWB4(...) __FW_STORE4(__stwb, "st.global.wb", __VA_ARGS__)
__FW_SCALARS(__FW_STWB1)
__FW_PAIRS(__FW_STWB2)
__FW_QUADS(__FW_STWB4)

#define __FW_STCG1(...) __FW_STORE1(__stcg, "st.global.cg", __VA_ARGS__)
#define __FW_STCG2(...) __FW_STORE2(__stcg, "st.global.cg", __VA_ARGS__)
#define __FW_STCG4(...) __FW_STORE4(__stcg, "st.global.cg", __VA_ARGS__)
__FW_SCALARS(__FW_STCG1)
__FW_PAIRS(__FW_STCG2)
__FW_QUADS(__FW_STCG4)

#define __FW_STCS1(...) __FW_STORE1(__stcs, "st.global.cs", __VA_ARGS__)
#define __FW_STCS2(...) __FW_STORE2(__stcs, "st.global.cs", __VA_ARGS__)
#define __FW_STCS4(...) __FW_STORE4(__stcs, "st.global.cs", __VA_ARGS__)
__FW_SCALARS(__FW_STCS1)
__FW_PAIRS(__FW_STCS2)
__FW_QUADS(__FW_STCS4)

#define __FW_STWT1(...) __FW_STORE1(__stwt, "st.global.wt", __VA_ARGS__)
#define __FW_STWT2(...) __FW_STORE2(__stwt, "st.global.wt", __VA_ARGS__)
#define __FW_STWT4(...) __FW_STORE4(__stwt, "st.global.wt", __VA_ARGS__)
__FW_SCALARS(__FW_STWT1)
__FW_PAIRS(__FW_STWT2)
__FW_QUADS(__FW_STWT4)

/* ---- address spaces ---- */

__FW_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)(__attribute__((address_space(3))) const void *)p;
}
__FW_DEVICE size_t __cvta_generic_to_global(const void *p)
{
    return (size_t)(__attribute__((address_space(1))) const void *)p;
}
__FW_DEVICE size_t __cvta_generic_to_local(const void *p)
{
    return (size_t)(__attribute__((address_space(5))) const void *)p;
}
__FW_DEVICE size_t __cvta_generic_to_constant(const void *p)
{
    return (size_t)(__attribute__((address_space(4))) const void *)p;
}
__FW_DEVICE void *__cvta_shared_to_generic(size_t p)
{
    return (void *)(__attribute__((address_space(3))) void *)p;
}
__FW_DEVICE void *__cvta_global_to_generic(size_t p)
{
    return (void *)(__attribute__((address_space(1))) void *)p;
}
__FW_DEVICE unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
__FW_DEVICE unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
__FW_DEVICE unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
__FW_DEVICE unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

/* ---- asynchronous copies (compute capability 8.0 and later) ---- */

__FW_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0)
{
    unsigned target = (unsigned)__cvta_generic_to_shared(to), copied = (unsigned)(size - zeros);
    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from),
                     "r"(copied)
                     : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(target), "l"(from),
                     "r"(copied)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(from),
                     "r"(copied)
                     : "memory");
}
__FW_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__FW_DEVICE void __pipeline_wait_prior(size_t groups)
{
    switch (groups) { /* the instruction takes a constant */
#define __FW_WAIT(n)                                                                               \
    case n:                                                                                        \
        asm volatile("cp.async.wait_group " #n ";" ::: "memory");                                  \
        break;
        __FW_WAIT(1)
        __FW_WAIT(2)
        __FW_WAIT(3)
        __FW_WAIT(4)
        __FW_WAIT(5)
        __FW_WAIT(6)
        __FW_WAIT(7)
        __FW_WAIT(8)
    default: /* waiting for more is never wrong */
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
}
__FW_DEVICE void __pipeline_arrive_on(void *barrier)
{
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(barrier))
                 : "memory");
}

/* ---- bits and bytes ---- */

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
#define __FW_DP2A(type, name, instruction)                                                         \
    __FW_DEVICE type name(type a, type b, type c)                                                  \
    {                                                                                              \
        type v;                                                                                    \
        asm(instruction " %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(c));                    \
        return v;                                                                                  \
    }
__FW_DP2A(int, __dp2a_lo, "dp2a.lo.s32.s32")
__FW_DP2A(int, __dp2a_hi, "dp2a.hi.s32.s32")
__FW_DP2A(unsigned, __dp2a_lo, "dp2a.lo.u32.u32")
__FW_DP2A(unsigned, __dp2a_hi, "dp2a.hi.u32.u32")
__FW_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    unsigned v;
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(c));
    return v;
}
__FW_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
__FW_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
__FW_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__FW_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__FW_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
__FW_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
__FW_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned s)
{
    unsigned v;
    asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(low), "r"(high), "r"(s));
    return v;
}
__FW_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned s)
{
    unsigned v;
    asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(low), "r"(high), "r"(s));
    return v;
}

#endif
