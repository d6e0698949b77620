/* The third part of forewarp_cuda.h: atomics, of the device, of the block (_block) and of the whole
 * system (_system). */
#ifndef FOREWARP_CUDA_ATOMICS_H
#define FOREWARP_CUDA_ATOMICS_H

/* X(name behind "atomic", in clang's builtin): the same bits for signed and unsigned. */
#define __FW_ATOMIC(name, suffix, scope, operation)                                                \
    __FW_DEVICE int name##suffix(int *p, int v)                                                    \
    {                                                                                              \
        return __nvvm_atom_##scope##operation##_gen_i(p, v);                                       \
    }                                                                                              \
    __FW_DEVICE unsigned name##suffix(unsigned *p, unsigned v)                                     \
    {                                                                                              \
        return (unsigned)__nvvm_atom_##scope##operation##_gen_i((int *)p, (int)v);                 \
    }                                                                                              \
    __FW_DEVICE unsigned long long name##suffix(unsigned long long *p, unsigned long long v)       \
    {                                                                                              \
        return (unsigned long long)__nvvm_atom_##scope##operation##_gen_ll((long long *)p,         \
                                                                           (long long)v);          \
    }

#define __FW_ATOMIC_ORDER(name, suffix, scope, operation)                                          \
    __FW_DEVICE int name##suffix(int *p, int v)                                                    \
    {                                                                                              \
        return __nvvm_atom_##scope##operation##_gen_i(p, v);                                       \
    }                                                                                              \
    __FW_DEVICE unsigned name##suffix(unsigned *p, unsigned v)                                     \
    {                                                                                              \
        return __nvvm_atom_##scope##operation##_gen_ui(p, v);                                      \
    }                                                                                              \
    __FW_DEVICE long long name##suffix(long long *p, long long v)                                  \
    {                                                                                              \
        return __nvvm_atom_##scope##operation##_gen_ll(p, v);                                      \
    }                                                                                              \
    __FW_DEVICE unsigned long long name##suffix(unsigned long long *p, unsigned long long v)       \
    {                                                                                              \
        return __nvvm_atom_##scope##operation##_gen_ull(p, v);                                     \
    }

#define __FW_ATOMICS(suffix, scope)                                                                \
    __FW_ATOMIC(atomicAdd, suffix, scope, add)                                                     \
    __FW_ATOMIC(atomicAnd, suffix, scope, and)                                                     \
    __FW_ATOMIC(atomicOr, suffix, scope, or)                                                       \
    __FW_ATOMIC(atomicXor, suffix, scope, xor)                                                     \
    __FW_ATOMIC(atomicExch, suffix, scope, xchg)                                                   \
    __FW_ATOMIC_ORDER(atomicMin, suffix, scope, min)                                               \
    __FW_ATOMIC_ORDER(atomicMax, suffix, scope, max)                                               \
    __FW_DEVICE float atomicAdd##suffix(float *p, float v)                                         \
    {                                                                                              \
        return __nvvm_atom_##scope##add_gen_f(p, v);                                               \
    }                                                                                              \
    __FW_DEVICE double atomicAdd##suffix(double *p, double v)                                      \
    {                                                                                              \
        return __nvvm_atom_##scope##add_gen_d(p, v);                                               \
    }                                                                                              \
    __FW_DEVICE float atomicExch##suffix(float *p, float v)                                        \
    {                                                                                              \
        return __builtin_bit_cast(float,                                                           \
                                  atomicExch##suffix((int *)p, __builtin_bit_cast(int, v)));       \
    }                                                                                              \
    __FW_DEVICE int atomicSub##suffix(int *p, int v) { return atomicAdd##suffix(p, -v); }          \
    __FW_DEVICE unsigned atomicSub##suffix(unsigned *p, unsigned v)                                \
    {                                                                                              \
        return atomicAdd##suffix(p, 0u - v);                                                       \
    }                                                                                              \
    __FW_DEVICE unsigned atomicInc##suffix(unsigned *p, unsigned v)                                \
    {                                                                                              \
        return __nvvm_atom_##scope##inc_gen_ui(p, v);                                              \
    }                                                                                              \
    __FW_DEVICE unsigned atomicDec##suffix(unsigned *p, unsigned v)                                \
    {                                                                                              \
        return __nvvm_atom_##scope##dec_gen_ui(p, v);                                              \
    }                                                                                              \
    __FW_DEVICE int atomicCAS##suffix(int *p, int c, int v)                                        \
    {                                                                                              \
        return __nvvm_atom_##scope##cas_gen_i(p, c, v);                                            \
    }                                                                                              \
    __FW_DEVICE unsigned atomicCAS##suffix(unsigned *p, unsigned c, unsigned v)                    \
    {                                                                                              \
        return (unsigned)__nvvm_atom_##scope##cas_gen_i((int *)p, (int)c, (int)v);                 \
    }                                                                                              \
    __FW_DEVICE unsigned long long atomicCAS##suffix(unsigned long long *p, unsigned long long c,  \
                                                     unsigned long long v)                         \
    {                                                                                              \
        return (unsigned long long)__nvvm_atom_##scope##cas_gen_ll((long long *)p, (long long)c,   \
                                                                   (long long)v);                  \
    }

__FW_ATOMICS(, )
__FW_ATOMICS(_block, cta_)
__FW_ATOMICS(_system, sys_)

__FW_DEVICE unsigned short atomicCAS(unsigned short *p, unsigned short c, unsigned short v)
{
    unsigned short old;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(p), "h"(c), "h"(v) : "memory");
    return old;
}

#endif
