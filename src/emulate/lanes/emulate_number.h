/* What the files that compute on lanes share: arithmetic on single numbers (number.h) as handlers.
 */
#ifndef FW_EMULATE_NUMBER_H
#define FW_EMULATE_NUMBER_H

#include "emulate_state.h"

/* A handler whose result is one expression of the sources x, y and z. */
#define HANDLER(name, D, A, B, C, expression)                                                      \
    static void name(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask)  \
    {                                                                                              \
        D *d = SLOT(D, micro->d);                                                                  \
        const A *a = SLOT(A, micro->a);                                                            \
        const B *b = SLOT(B, micro->b);                                                            \
        const C *c = SLOT(C, micro->c);                                                            \
        const s64 k = micro->immediate;                                                            \
        const unsigned n = micro->small[0];                                                        \
        (void)k, (void)n;                                                                          \
        if (mask == FULL_MASK) {                                                                   \
            EACH_LANE                                                                              \
            {                                                                                      \
                const A x = a[i];                                                                  \
                const B y = b[i];                                                                  \
                const C z = c[i];                                                                  \
                (void)x, (void)y, (void)z;                                                         \
                d[i] = (D)(expression);                                                            \
            }                                                                                      \
        } else {                                                                                   \
            EACH_LANE                                                                              \
            {                                                                                      \
                const A x = a[i];                                                                  \
                const B y = b[i];                                                                  \
                const C z = c[i];                                                                  \
                (void)x, (void)y, (void)z;                                                         \
                const D r = (D)(expression);                                                       \
                d[i] = mask >> i & 1 ? r : d[i];                                                   \
            }                                                                                      \
        }                                                                                          \
    }

#endif
