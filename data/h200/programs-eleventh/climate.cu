/* Columns and rows of a model of the atmosphere. */

/* Two streams of radiation through the layers of a column: reflectances from below, then fluxes from above; a thread a column and band. */
extern "C" __global__ void two_stream_fluxes(const float *__restrict__ depth, const float *__restrict__ scatter, const float *__restrict__ asymmetry, float *__restrict__ albedo, float *__restrict__ up, float *__restrict__ down, int columns, int layers, float mu, float ground)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns)
        return;
    const long long band = (long long)blockIdx.y * layers * columns, face = (long long)blockIdx.y * (layers + 1) * columns;
    float below = ground;
    albedo[face + (long long)layers * columns + c] = below;
    for (int k = layers - 1; k >= 0; k--) {
        const long long at = band + (long long)k * columns + c;
        const float tau = depth[at], w = scatter[at], g = asymmetry[at];
        const float g1 = 0.25f * (7.0f - w * (4.0f + 3.0f * g)), g2 = -0.25f * (1.0f - w * (4.0f - 3.0f * g));
        const float rate = sqrtf(fmaxf(g1 * g1 - g2 * g2, 1e-6f)), e = expf(-rate * tau), e2 = e * e;
        const float bottom = 1.0f / (rate * (1.0f + e2) + g1 * (1.0f - e2));
        const float reflected = g2 * (1.0f - e2) * bottom, passed = 2.0f * rate * e * bottom;
        below = reflected + passed * passed * below / (1.0f - reflected * below);
        albedo[face + (long long)k * columns + c] = below;
    }
    float flux = mu;
    for (int k = 0; k <= layers; k++) {
        const long long at = face + (long long)k * columns + c;
        down[at] = flux;
        up[at] = flux * albedo[at];
        if (k < layers)
            flux *= expf(-1.66f * depth[band + (long long)k * columns + c] * (1.0f - scatter[band + (long long)k * columns + c]));
    }
}

__device__ double steepness(double a, double b, double c)
{
    const double d = 0.5 * (c - a), least = 2.0 * fmin(fabs(b - a), fabs(c - b));
    return (c - b) * (b - a) > 0.0 ? copysign(fmin(fabs(d), least), d) : 0.0;
}

/* Fluxes of a tracer along rows by piecewise parabolas: a row's piece of a block in shared memory with three cells around. */
extern "C" __global__ void __launch_bounds__(128) parabolas_along_rows(const double *__restrict__ q, const double *__restrict__ courant, double *__restrict__ flux, int nx, int rows)
{
    __shared__ double held[128 + 6];
    const int x0 = blockIdx.x * 128, x = x0 + threadIdx.x;
    const long long row = (long long)blockIdx.y * nx;
    for (int i = threadIdx.x; i < 134; i += 128) {
        const int at = (x0 + i - 3 + nx) % nx;
        held[i] = q[row + at];
    }
    __syncthreads();
    if (x >= nx)
        return;
    const double c = courant[row + x];
    const double *p = held + threadIdx.x + (c > 0.0 ? 2 : 3);
    const double left = p[-1] + 0.5 * (p[0] - p[-1]) + (steepness(p[-2], p[-1], p[0]) - steepness(p[-1], p[0], p[1])) / 6.0;
    const double right = p[0] + 0.5 * (p[1] - p[0]);
    const double six = 6.0 * (p[0] - 0.5 * (left + right)), size = fabs(c);
    flux[row + x] = c * (c > 0.0 ? right - 0.5 * size * (right - left - (1.0 - 2.0 / 3.0 * size) * six) : left + 0.5 * size * (right - left + (1.0 - 2.0 / 3.0 * size) * six));
}

/* Water that condenses until air is saturated: Newton's steps for the temperature of each cell. */
extern "C" __global__ void adjust_saturation(double *__restrict__ temperature, double *__restrict__ vapour, double *__restrict__ cloud, const double *__restrict__ pressure, int cells, int steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells)
        return;
    const double lv = 2.5e6, cp = 1004.0, p = pressure[i], t0 = temperature[i], q0 = vapour[i], c0 = cloud[i];
    double t = t0;
    for (int s = 0; s < steps; s++) {
        const double es = 610.78 * exp(17.27 * (t - 273.16) / (t - 35.86)), qs = 0.622 * es / (p - 0.378 * es);
        const double slope = qs * 17.27 * 237.3 / ((t - 35.86) * (t - 35.86));
        t -= (t - t0 - lv / cp * (q0 - qs)) / (1.0 + lv / cp * slope);
    }
    const double condensed = fmax((t - t0) * cp / lv, -c0);
    temperature[i] = t0 + condensed * lv / cp;
    vapour[i] = q0 - condensed;
    cloud[i] = c0 + condensed;
}
