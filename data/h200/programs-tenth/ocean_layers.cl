/* Layers of an ocean: free surface, mixing down a column, a pressure that is summed downward. */
#define AT(i, j) ((j) * nx + (i))

/* Free surface and depth-mean currents of an Arakawa C grid, one forward-backward step. */
__kernel void barotropic_step(__global const float *restrict eta, __global const float *restrict u, __global const float *restrict v, __global const float *restrict depth, __global float *restrict eta_new, __global float *restrict u_new,
                              __global float *restrict v_new, const int nx, const int ny, const float dt, const float dx, const float gravity, const float coriolis, const float drag)
{
    const int i = get_global_id(0), j = get_global_id(1);
    if (i < 1 || j < 1 || i >= nx - 2 || j >= ny - 2)
        return;
    const float he = 0.5f * (depth[AT(i, j)] + depth[AT(i + 1, j)]), hw = 0.5f * (depth[AT(i, j)] + depth[AT(i - 1, j)]);
    const float hn = 0.5f * (depth[AT(i, j)] + depth[AT(i, j + 1)]), hs = 0.5f * (depth[AT(i, j)] + depth[AT(i, j - 1)]);
    const float flow = he * u[AT(i, j)] - hw * u[AT(i - 1, j)] + hn * v[AT(i, j)] - hs * v[AT(i, j - 1)];
    const float e = eta[AT(i, j)];
    eta_new[AT(i, j)] = e - dt / dx * flow;
    const float vu = 0.25f * (v[AT(i, j)] + v[AT(i + 1, j)] + v[AT(i, j - 1)] + v[AT(i + 1, j - 1)]);
    const float uv = 0.25f * (u[AT(i, j)] + u[AT(i - 1, j)] + u[AT(i, j + 1)] + u[AT(i - 1, j + 1)]);
    const float a = u[AT(i, j)], b = v[AT(i, j)];
    u_new[AT(i, j)] = (a + dt * (coriolis * vu - gravity * (eta[AT(i + 1, j)] - e) / dx)) / (1.0f + dt * drag * sqrt(a * a + vu * vu) / he);
    v_new[AT(i, j)] = (b - dt * (coriolis * uv + gravity * (eta[AT(i, j + 1)] - e) / dx)) / (1.0f + dt * drag * sqrt(b * b + uv * uv) / hn);
}

/* Implicit mixing down each column: Thomas's algorithm of 40 levels, factors kept by the work-item. */
#define LEVELS 40
__kernel void mix_columns(__global float *restrict t, __global const float *restrict kappa, const int columns, const float a)
{
    const int c = get_global_id(0);
    if (c >= columns)
        return;
    float factor[LEVELS], value[LEVELS];
    float kd = kappa[c], diagonal = 1.0f + a * kd;
    factor[0] = a * kd / diagonal;
    value[0] = t[c] / diagonal;
    for (int k = 1; k < LEVELS; k++) {
        const float ku = kd;
        kd = k < LEVELS - 1 ? kappa[k * columns + c] : 0.0f;
        diagonal = 1.0f + a * (ku + kd) - a * ku * factor[k - 1];
        factor[k] = a * kd / diagonal;
        value[k] = (t[k * columns + c] + a * ku * value[k - 1]) / diagonal;
    }
    float below = value[LEVELS - 1];
    t[(LEVELS - 1) * columns + c] = below;
    for (int k = LEVELS - 2; k >= 0; k--) {
        below = value[k] + factor[k] * below;
        t[k * columns + c] = below;
    }
}
