/* The cases of variants.c: kernels of the paper at sizes that divide, and that do not under weaker
 * assumptions; and one program for each construct. */
#ifndef VARIANTS_CASES_H
#define VARIANTS_CASES_H

#define ANY_DG "nmatrices >= 1 and nelements >= 1 and nunit_nodes >= 1"
#define DG_NAMES                                                                                   \
    {                                                                                              \
        "nmatrices", "nelements", "nunit_nodes", "unused"                                          \
    }
#define DG_EXACT                                                                                   \
    {                                                                                              \
        {3, 16, 16, 1},                                                                            \
        {                                                                                          \
            3, 32, 48, 1                                                                           \
        }                                                                                          \
    }
#define DG_ANY                                                                                     \
    {                                                                                              \
        {3, 16, 32, 1}, {3, 5, 3, 1}, {3, 19, 33, 1},                                              \
        {                                                                                          \
            3, 1, 1, 1                                                                             \
        }                                                                                          \
    }
#define N_NAMES                                                                                    \
    {                                                                                              \
        "n", "m", "unused", "unused_2"                                                             \
    }
#define N_EXACT(t)                                                                                 \
    {                                                                                              \
        {t, 1, 1, 1},                                                                              \
        {                                                                                          \
            3 * t, 1, 1, 1                                                                         \
        }                                                                                          \
    }
#define N_ANY                                                                                      \
    {                                                                                              \
        {1, 1, 1, 1}, {5, 1, 1, 1}, {16, 1, 1, 1}, {33, 1, 1, 1},                                  \
        {                                                                                          \
            50, 1, 1, 1                                                                            \
        }                                                                                          \
    }
#define NM                                                                                         \
    {                                                                                              \
        {1, 1, 1, 1}, {5, 3, 1, 1}, {16, 40, 1, 1}, {37, 16, 1, 1},                                \
        {                                                                                          \
            50, 2, 1, 1                                                                            \
        }                                                                                          \
    }

#define MATMUL                                                                                     \
    "kernel mm\ndomain [n] -> {[i, j, k]: 0 <= i, j, k < n}\nassume n >= 1\narray a, b: f32\n"     \
    "c[i, j] = sum(k, a[i, k]*b[k, j])\n"
#define ADD                                                                                        \
    "kernel vector\ndomain [n, m] -> {[i, j]: 0 <= i < n and 0 <= j < m}\nassume n >= 1 and m >= " \
    "1\narray x, y: f64\nz[i, j] = 2*x[i, j] + y[j, i]\n"

static const struct test_case cases[] = {
    {"matmul", "matmul.knl", NULL, NULL, N_NAMES, N_EXACT(16)},
    {"matmul, any size", "matmul.knl", NULL, "n >= 1", N_NAMES, N_ANY},
    {"matmul_prefetch", "matmul_prefetch.knl", NULL, NULL, N_NAMES, N_EXACT(16)},
    {"matmul_prefetch, any size", "matmul_prefetch.knl", NULL, "n >= 1", N_NAMES, N_ANY},
    {"matmul_coarse", "matmul_coarse.knl", NULL, NULL, N_NAMES, N_EXACT(32)},
    {"matmul_coarse, any size", "matmul_coarse.knl", NULL, "n >= 1", N_NAMES, N_ANY},
    {"dg", "dg.knl", NULL, NULL, DG_NAMES, DG_EXACT},
    {"dg, any size", "dg.knl", NULL, ANY_DG, DG_NAMES, DG_ANY},
    {"dg_prefetch_u", "dg_prefetch_u.knl", NULL, NULL, DG_NAMES, DG_EXACT},
    {"dg_prefetch_u, any size", "dg_prefetch_u.knl", NULL, ANY_DG, DG_NAMES, DG_ANY},
    {"dg_prefetch_matrix", "dg_prefetch_matrix.knl", NULL, NULL, DG_NAMES, DG_EXACT},
    {"dg_prefetch_matrix, any size", "dg_prefetch_matrix.knl", NULL, ANY_DG, DG_NAMES, DG_ANY},
    {"dg_prefetch_matrix_transposed", "dg_prefetch_matrix_transposed.knl", NULL, NULL, DG_NAMES,
     DG_EXACT},
    {"dg_prefetch_matrix_transposed, any size", "dg_prefetch_matrix_transposed.knl", NULL, ANY_DG,
     DG_NAMES, DG_ANY},
    {"stencil_16", "stencil_16.knl", NULL, NULL, N_NAMES, N_EXACT(14)},
    {"stencil_16, any size", "stencil_16.knl", NULL, "n >= 1", N_NAMES, N_ANY},
    {"stencil_18", "stencil_18.knl", NULL, NULL, N_NAMES, N_EXACT(16)},
    {"stencil_18, any size", "stencil_18.knl", NULL, "n >= 1", N_NAMES, N_ANY},
    {"unrolled", NULL,
     MATMUL "split i 8 outer=block.0 inner=thread.0\nsplit k 4\ntag k_inner unroll\n", NULL,
     N_NAMES, N_ANY},
    {"vector", NULL, ADD "split j 4\ntag j_inner vector\ntag i block.0\n", NULL, N_NAMES, NM},
    {"coarsened", NULL, ADD "split i 16 outer=block.0 inner=thread.0\ncoarsen i_inner 4\n", NULL,
     N_NAMES, NM},
    {"coarsened by three", NULL,
     MATMUL "split i 16 outer=block.0 inner=thread.0\ntag j block.1\ncoarsen i_inner 3\n", NULL,
     N_NAMES, N_ANY},
    {"joined", NULL,
     "kernel joined\ndomain [n] -> {[i, j]: 0 <= i < n and 0 <= j < 12}\nassume n >= 1\n"
     "array x: f32\ny[j, i] = x[i, j]*3 + i - j\njoin i, j into ij\n"
     "split ij 64 outer=block.0 inner=thread.0\n",
     NULL, N_NAMES, N_ANY},
    {"ordered", NULL, MATMUL "split j 8\nsplit k 4\norder j_outer, i, j_inner, k_outer\n", NULL,
     N_NAMES, N_ANY},
    {"renamed", NULL, MATMUL "rename i row\nrename j float\ntag row block.0\n", NULL, N_NAMES,
     N_ANY},
    {"column layout", NULL,
     ADD "axes x 1, 0\naxes z 1, 0\nsplit i 32 outer=block.1 "
         "inner=thread.0\ntag j block.0\n",
     NULL, N_NAMES, NM},
    {"realized and privatized", NULL,
     "kernel sums\ndomain [n] -> {[i, k, m]: 0 <= i, k < n and 0 <= m < 3}\nassume n >= 1\n"
     "array a, b: f64\nr[m, i] = sum(k, a[m, k]*b[k, i])\nrealize\nprivatize acc_k over m\n"
     "duplicate m as m_init in id=*init*\nduplicate m as m_store in writes=r\norder k, m\n"
     "split i 8 outer=block.0 inner=thread.0\ntag m unroll\n",
     NULL, N_NAMES, N_ANY},
    {"two sums over one loop", NULL,
     "kernel variance\ndomain [n, m] -> {[i, k]: 0 <= i < n and 0 <= k < m}\nassume n >= 1 and m "
     ">= 1\narray a: f64\n<> mean = sum(k, a[i, k])\nv[i] = sum(k, (a[i, k] - mean)*a[i, k])\n"
     "w[i] = mean + reduce(max, k, a[i, k]) - reduce(min, k, a[i, k])\n"
     "split i 16 outer=block.0 inner=thread.0\n",
     NULL, N_NAMES, NM},
    {"triangle", NULL,
     "kernel triangle\ndomain [n] -> {[i]: 0 <= i < n}\ndomain {[j]: 0 <= j <= i}\n"
     "assume n >= 1\narray x: f32\ny[i] = sum(j, x[j]*(i - j))\n"
     "split i 16 outer=block.0 inner=thread.0\n",
     NULL, N_NAMES, N_ANY},
    {"conditions and functions", NULL,
     "kernel conditions\ndomain [n, m] -> {[i, j]: 0 <= i < n and 0 <= j < m}\n"
     "assume n >= 1 and m >= 1\narray x: f64\narray flag: s32[n]\n"
     "if i % 2 == 0\n"
     "y[i, j] = max(x[i, j], 0.5*flag[i]) + abs(-x[i, j]) + if(j > 0, x[i, j - 1], 1)\n"
     "else\ny[i, j] = x[i, j]**2 - (i - 3*j) // 4 + (i - 3*j) % 5 + floor(x[i, j]/2)\nend\n"
     "if flag[i] > 3 and x[i, j] < 2\nz[i, j] = sign(x[i, j]) + min(i, j)*(i & 3 | j << 1)\nelse\n"
     "z[i, j] = 7\nend\n"
     "split i 8 outer=block.0 inner=thread.1\nsplit j 8 outer=block.1 inner=thread.0\n",
     NULL, N_NAMES, NM},
    {"shared by hand", NULL,
     "kernel reversed\ndomain [n] -> {[b, t, s]: 0 <= b < n and 0 <= t, s < 32}\nassume n >= 1\n"
     "array x: f32\ntemporary tile: f32[32] shared\n"
     "tile[t] = x[b, t] + 1\ny[b, s] = tile[31 - s]*tile[s]\n"
     "tag b block.0 unordered\ntag t thread.0\ntag s thread.0\n",
     NULL, N_NAMES, N_ANY},
    {"steps through shared memory", NULL,
     "kernel steps\ndomain [n] -> {[b, k, t, u]: 0 <= b < n and 0 <= k < 5 and 1 <= t, u < 33}\n"
     "domain {[s, r]: 0 <= s, r < 34}\nassume n >= 1\narray x: f64\n"
     "temporary old: f64[34] shared\ntemporary new: f64[34] shared\n"
     "old[s] = x[b, s] {id=load}\n"
     "new[t] = old[t - 1] + old[t + 1] - (k % 2)*old[t] {id=step, dep=load, inames=b:k:t}\n"
     "old[u] = new[u] {id=back, dep=step, inames=b:k:u}\n"
     "y[b, r] = old[r] {dep=back}\n"
     "tag b block.0 unordered\ntag t thread.0 unordered\ntag u thread.0 unordered\n"
     "tag s thread.0 unordered\ntag r thread.0 unordered\n",
     NULL, N_NAMES, N_ANY},
    {"offset axes", NULL,
     "kernel inner\ndomain [n, m] -> {[i, j]: 2 <= i < n + 2 and -1 <= j < m - 1}\n"
     "assume n >= 1 and m >= 1\narray x: f32\ny[i, j + 1] = x[i - 2, j + 1]*2\n"
     "tag i block.0\nsplit j 8\ntag j_inner thread.0\n",
     NULL, N_NAMES, NM},
    {"prefetch with a stride", NULL,
     "kernel strided\ndomain [n] -> {[i, j]: 0 <= i < n and 0 <= j < 3}\nassume n >= 1\n"
     "array x: f32\ny[i] = sum(j, x[2*i + j]*(j + 1))\n"
     "split i 32 outer=block.0 inner=thread.0\nprefetch x over i_inner, j\n",
     NULL, N_NAMES, N_ANY},
    {"prefetch with holes", NULL,
     "kernel holes\ndomain [n] -> {[i]: 0 <= i < n}\nassume n >= 1\narray x: f32\n"
     "y[i] = x[3*i] + x[3*i + 1]\nsplit i 16 outer=block.0 inner=thread.0\n"
     "prefetch x over i_inner box\n",
     NULL, N_NAMES, N_ANY},
    {"prefetch of two pieces", NULL,
     "kernel pieces\ndomain [n] -> {[i, j]: 0 <= i < n and 0 <= j < n}\nassume n >= 1\narray x: "
     "f32\n"
     "y[i, j] = x[i, j]*2 + x[i + 7, j] - x[i + 2, j + 5]\n"
     "split i 4 outer=block.0 inner=thread.1\nsplit j 8 outer=block.1 inner=thread.0\n"
     "prefetch x over i_inner, j_inner box\n",
     NULL, N_NAMES, N_ANY},
    {"prefetch for sequential loops", NULL,
     "kernel rows\ndomain [n, m] -> {[i, j, k]: 0 <= i < n and 0 <= j < m and 0 <= k < 10}\n"
     "assume n >= 1 and m >= 1\narray a, b: f64\n"
     "c[i, j] = sum(k, a[i, k]*b[k, j]) + a[i, 3]\n"
     "tag i block.0\nsplit j 32 outer=block.1 inner=thread.0\nprefetch a over k\n",
     NULL, N_NAMES, NM},
    {"recurrence",
     NULL,
     "kernel recurrence\ndomain [n, m] -> {[t, i]: 1 <= t < n and 0 <= i < m}\nassume n >= 2 and m "
     ">= 1\narray x: f64[n, m]\nx[t, i] = x[t - 1, i] - x[t, i]\n"
     "split i 16 outer=block.0 inner=thread.0\n",
     NULL,
     N_NAMES,
     {{2, 1, 1, 1}, {7, 16, 1, 1}, {5, 35, 1, 1}}},
    {"quotients and casts", NULL,
     "kernel quotients\ndomain [n] -> {[i, j]: 0 <= i < n and 1 <= j < 9}\nassume n >= 1\n"
     "array x: f64\narray p: s32\ny[i, j] = 8*i/j*x[i, j] - cast(s32, x[i, j]/2)/4 + 3/4 + p[i]/8\n"
     "z[i, j] = cast(f32, i) + cast(s32, x[i, j])//3\n"
     "split i 16 outer=block.0 inner=thread.0\n",
     NULL, N_NAMES, N_ANY},
    {"no parameters",
     NULL,
     "kernel fixed\ndomain {[i, j]: 0 <= i < 20 and 0 <= j < 12}\narray x: f32\n"
     "y[i] = sum(j, x[i + j])\nsplit i 8\n",
     NULL,
     N_NAMES,
     {{1, 1, 1, 1}}},
    {"a parameter fixed",
     NULL,
     MATMUL "split i 16 outer=block.0 inner=thread.0\nfix n 40\n",
     NULL,
     N_NAMES,
     {{40, 1, 1, 1}}},
    {"mixed types", NULL,
     "kernel mixed\ndomain [n] -> {[i]: 0 <= i < n}\nassume n >= 1\narray x: f64\narray p: s32\n"
     "y[i] = (cast(u32, p[i]) - p[i])/4 + (cast(u32, p[i]) << cast(s32, 3)) + fmin(x[i], 2)\n"
     "z[i] = cast(f64, cast(s64, p[i])*cast(f32, x[i])) + if(p[i] > 3, cast(u32, p[i]), p[i])\n"
     "w[i] = if(cast(u32, p[i]) > p[i] - 1, 1.0, 0.0)\n"
     "split i 16 outer=block.0 inner=thread.0\n",
     NULL, N_NAMES, N_ANY},
    {"integers", NULL,
     "kernel integers\ndomain [n] -> {[i, k]: 0 <= i < n and 0 <= k < 7}\nassume n >= 1\n"
     "array p: s32\nq[i] = product(k, p[i] - k + 1) % 1000 - p[i] // 3 + (~p[i] ^ 5)\n"
     "r[i] = reduce(min, k, p[i]*(k - 3)) + reduce(max, k, (p[i] - k)*(k - 2))\n"
     "split i 16 outer=block.0 inner=thread.0\n",
     NULL, N_NAMES, N_ANY},
};

#endif
