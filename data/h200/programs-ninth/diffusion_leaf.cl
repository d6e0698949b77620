/* Implicit diffusion and a tracer, as mini-apps have them: Fortran's arrays by macros, ghosts of two cells. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define GHOST 2
#define FTNREF2D(i, j) ((i) + (j) * (x_max + 2 * GHOST))
#define WITHIN (column >= GHOST && column < x_max + GHOST && row >= GHOST && row < y_max + GHOST)
#define KERNEL_INDEX const int column = get_global_id(0), row = get_global_id(1)
#define SMVP(ARRAY) \
    ((1.0 + (Kx[FTNREF2D(column + 1, row)] + Kx[FTNREF2D(column, row)]) + (Ky[FTNREF2D(column, row + 1)] + Ky[FTNREF2D(column, row)])) * ARRAY[FTNREF2D(column, row)] - \
     (Kx[FTNREF2D(column + 1, row)] * ARRAY[FTNREF2D(column + 1, row)] + Kx[FTNREF2D(column, row)] * ARRAY[FTNREF2D(column - 1, row)]) - \
     (Ky[FTNREF2D(column, row + 1)] * ARRAY[FTNREF2D(column, row + 1)] + Ky[FTNREF2D(column, row)] * ARRAY[FTNREF2D(column, row - 1)]))

__kernel void cheby_iterate_p(const int x_max, const int y_max, const double alpha, const double beta, __global const double *restrict u, __global const double *restrict u0, __global double *restrict p,
                              __global const double *restrict Kx, __global const double *restrict Ky)
{
    KERNEL_INDEX;
    if (WITHIN) {
        const double w = SMVP(u);
        const double r = u0[FTNREF2D(column, row)] - w;
        p[FTNREF2D(column, row)] = alpha * p[FTNREF2D(column, row)] + beta * r;
    }
}

#define IDX3(i, j, k) ((i) + (long)nx * ((j) + (long)ny * (k)))
#define MINMOD(a, b) (copysign(1.0f, (a)) * fmax(0.0f, fmin(fabs(a), (b) * copysign(1.0f, (a)))))

/* A tracer in columns of air: limited fluxes upward, all levels of a column in one work-item. */
__kernel void tracer_upward(const int nx, const int ny, const int nz, const float dtdz, __global const float *restrict w, __global const float *restrict q, __global float *restrict q_new)
{
    const int i = get_global_id(0), j = get_global_id(1);
    if (i >= nx || j >= ny)
        return;
    float below = q[IDX3(i, j, 0)], here = below, above = q[IDX3(i, j, 1)], flux = 0.0f;
    for (int k = 0; k < nz - 1; k++) {
        const float next = k + 2 < nz ? q[IDX3(i, j, k + 2)] : above;
        const float wind = w[IDX3(i, j, k + 1)], up = fmax(wind, 0.0f), down = fmin(wind, 0.0f);
        const float left = here + 0.5f * (1.0f - up * dtdz) * MINMOD(above - here, here - below);
        const float right = above - 0.5f * (1.0f + down * dtdz) * MINMOD(next - above, above - here);
        const float leaving = up * left + down * right;
        q_new[IDX3(i, j, k)] = here - dtdz * (leaving - flux);
        flux = leaving;
        below = here;
        here = above;
        above = next;
    }
    q_new[IDX3(i, j, nz - 1)] = here + dtdz * flux;
}
