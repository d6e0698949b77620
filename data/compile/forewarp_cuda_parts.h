/* Continues forewarp_cuda_math64.h: words of two halves or four bytes, of which each part is an integer of its own
 * (__vadd2, __vcmpgtu4, ...).
 *
 * Expansions that keep carries within parts: a sum of all bits but the highest of each part, to which the highest
 * bits are added without carry.  nvcc's have about as many operations.  A part of a condition is all ones (__vcmp...)
 * or one (__vset...). */
#ifndef FOREWARP_CUDA_PARTS_H
#define FOREWARP_CUDA_PARTS_H

/* The highest bit of each part; a selector that makes a part of it; bits below it. */
template <unsigned HIGH, unsigned SPREAD, unsigned SHIFT> struct __fw_parts {
    enum : unsigned { LOW = ~HIGH, ONE = HIGH >> SHIFT };
    __FW_DEVICE unsigned spread(unsigned a) { return __byte_perm(a, 0, SPREAD); }
    __FW_DEVICE unsigned choose(unsigned m, unsigned a, unsigned b) { return (a & m) | (b & ~m); }
    __FW_DEVICE unsigned add(unsigned a, unsigned b)
    {
        return ((a & LOW) + (b & LOW)) ^ ((a ^ b) & HIGH);
    }
    __FW_DEVICE unsigned sub(unsigned a, unsigned b)
    {
        return ((a | HIGH) - (b & LOW)) ^ (~(a ^ b) & HIGH);
    }
    __FW_DEVICE unsigned saturate(unsigned a, unsigned r, unsigned over)
    {
        return choose(spread(over), spread(a) ^ LOW, r);
    }
    __FW_DEVICE unsigned addss(unsigned a, unsigned b)
    {
        const unsigned r = add(a, b);
        return saturate(a, r, (r ^ a) & (r ^ b));
    }
    __FW_DEVICE unsigned addus(unsigned a, unsigned b)
    {
        const unsigned r = add(a, b);
        return r | spread((a & b) | ((a | b) & ~r));
    }
    __FW_DEVICE unsigned subss(unsigned a, unsigned b)
    {
        const unsigned r = sub(a, b);
        return saturate(a, r, (a ^ b) & (r ^ a));
    }
    __FW_DEVICE unsigned subus(unsigned a, unsigned b)
    {
        const unsigned r = sub(a, b);
        return r & ~spread((~a & b) | (~(a ^ b) & r));
    }
    /* Means: rounded down, up, and, of signed parts, away from zero. */
    __FW_DEVICE unsigned haddu(unsigned a, unsigned b) { return (a & b) + (((a ^ b) & ~ONE) >> 1); }
    __FW_DEVICE unsigned avgu(unsigned a, unsigned b) { return (a | b) - (((a ^ b) & ~ONE) >> 1); }
    __FW_DEVICE unsigned avgs(unsigned a, unsigned b)
    {
        const unsigned r = haddu(a ^ HIGH, b ^ HIGH) ^ HIGH;
        return r + (~(r >> SHIFT) & (a ^ b) & ONE);
    }
    /* Conditions in the highest bits. */
    __FW_DEVICE unsigned lts(unsigned a, unsigned b)
    {
        return (a & ~b) | (~(a ^ b) & ((~a & LOW) + (b & LOW)));
    }
    __FW_DEVICE unsigned ltu(unsigned a, unsigned b)
    {
        return (~a & b) | (~(a ^ b) & ((~a & LOW) + (b & LOW)));
    }
    __FW_DEVICE unsigned gts(unsigned a, unsigned b) { return lts(b, a); }
    __FW_DEVICE unsigned gtu(unsigned a, unsigned b) { return ltu(b, a); }
    __FW_DEVICE unsigned ges(unsigned a, unsigned b) { return ~lts(a, b); }
    __FW_DEVICE unsigned geu(unsigned a, unsigned b) { return ~ltu(a, b); }
    __FW_DEVICE unsigned les(unsigned a, unsigned b) { return ~lts(b, a); }
    __FW_DEVICE unsigned leu(unsigned a, unsigned b) { return ~ltu(b, a); }
    __FW_DEVICE unsigned ne(unsigned a, unsigned b)
    {
        return (((a ^ b) & LOW) + LOW) | (a ^ b);
    }
    __FW_DEVICE unsigned eq(unsigned a, unsigned b) { return ~ne(a, b); }
    __FW_DEVICE unsigned one(unsigned m) { return (m & HIGH) >> SHIFT; }

    __FW_DEVICE unsigned maxs(unsigned a, unsigned b) { return choose(spread(lts(b, a)), a, b); }
    __FW_DEVICE unsigned maxu(unsigned a, unsigned b) { return choose(spread(ltu(b, a)), a, b); }
    __FW_DEVICE unsigned mins(unsigned a, unsigned b) { return choose(spread(lts(a, b)), a, b); }
    __FW_DEVICE unsigned minu(unsigned a, unsigned b) { return choose(spread(ltu(a, b)), a, b); }
    __FW_DEVICE unsigned absdiffu(unsigned a, unsigned b)
    {
        const unsigned turned = (a ^ b) & spread(ltu(a, b));
        return (a ^ turned) - (b ^ turned);
    }
    __FW_DEVICE unsigned absdiffs(unsigned a, unsigned b) { return absdiffu(a ^ HIGH, b ^ HIGH); }
    __FW_DEVICE unsigned abs(unsigned a)
    {
        const unsigned m = spread(a);
        return (a ^ m) + (m & ONE);
    }
    __FW_DEVICE unsigned absss(unsigned a) /* -2^n becomes 2^n - 1 */
    {
        const unsigned r = abs(a);
        return r - one(r);
    }
    __FW_DEVICE unsigned neg(unsigned a) { return sub(0, a); }
    __FW_DEVICE unsigned negss(unsigned a)
    {
        const unsigned r = neg(a);
        return r - one(a & r);
    }
    __FW_DEVICE unsigned total(unsigned a)
    {
        if (SHIFT == 7)
            a = (a & 0xff00ff) + (a >> 8 & 0xff00ff);
        return (a & 0xffff) + (a >> 16);
    }
    __FW_DEVICE unsigned sads(unsigned a, unsigned b) { return total(absdiffs(a, b)); }
    __FW_DEVICE unsigned sadu(unsigned a, unsigned b) { return total(absdiffu(a, b)); }
};

using __fw_halves = __fw_parts<0x80008000u, 0xbb99u, 15>;
using __fw_quarters = __fw_parts<0x80808080u, 0xba98u, 7>;

#define __FW_PARTS1(name)                                                                          \
    __FW_DEVICE unsigned __v##name##2(unsigned a) { return __fw_halves::name(a); }                 \
    __FW_DEVICE unsigned __v##name##4(unsigned a) { return __fw_quarters::name(a); }
#define __FW_PARTS2(name)                                                                          \
    __FW_DEVICE unsigned __v##name##2(unsigned a, unsigned b) { return __fw_halves::name(a, b); }  \
    __FW_DEVICE unsigned __v##name##4(unsigned a, unsigned b) { return __fw_quarters::name(a, b); }
#define __FW_PARTS_TOLD(name)                                                                      \
    __FW_DEVICE unsigned __vcmp##name##2(unsigned a, unsigned b)                                   \
    {                                                                                              \
        return __fw_halves::spread(__fw_halves::name(a, b));                                       \
    }                                                                                              \
    __FW_DEVICE unsigned __vcmp##name##4(unsigned a, unsigned b)                                   \
    {                                                                                              \
        return __fw_quarters::spread(__fw_quarters::name(a, b));                                   \
    }                                                                                              \
    __FW_DEVICE unsigned __vset##name##2(unsigned a, unsigned b)                                   \
    {                                                                                              \
        return __fw_halves::one(__fw_halves::name(a, b));                                          \
    }                                                                                              \
    __FW_DEVICE unsigned __vset##name##4(unsigned a, unsigned b)                                   \
    {                                                                                              \
        return __fw_quarters::one(__fw_quarters::name(a, b));                                      \
    }

__FW_PARTS1(abs)
__FW_PARTS1(absss)
__FW_PARTS1(neg)
__FW_PARTS1(negss)
__FW_PARTS2(absdiffs)
__FW_PARTS2(absdiffu)
__FW_PARTS2(add)
__FW_PARTS2(addss)
__FW_PARTS2(addus)
__FW_PARTS2(avgs)
__FW_PARTS2(avgu)
__FW_PARTS2(haddu)
__FW_PARTS2(maxs)
__FW_PARTS2(maxu)
__FW_PARTS2(mins)
__FW_PARTS2(minu)
__FW_PARTS2(sads)
__FW_PARTS2(sadu)
__FW_PARTS2(sub)
__FW_PARTS2(subss)
__FW_PARTS2(subus)
__FW_PARTS_TOLD(eq)
__FW_PARTS_TOLD(ges)
__FW_PARTS_TOLD(geu)
__FW_PARTS_TOLD(gts)
__FW_PARTS_TOLD(gtu)
__FW_PARTS_TOLD(les)
__FW_PARTS_TOLD(leu)
__FW_PARTS_TOLD(lts)
__FW_PARTS_TOLD(ltu)
__FW_PARTS_TOLD(ne)

#endif
