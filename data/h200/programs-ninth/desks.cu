/* Desks that price: smiles by formulas, hazards by small loops, and moments of paths. */

/* Hagan's volatility of options on a grid of forwards and strikes. */
extern "C" __global__ void sabr_surface(const double *__restrict__ forwards, const double *__restrict__ strikes, const double *__restrict__ alphas, double *__restrict__ vols, int n, int m, double beta, double rho, double nu, double expiry)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= m)
        return;
    const double f = forwards[i], k = strikes[j], alpha = alphas[i], one = 1.0 - beta;
    const double fk = pow(f * k, 0.5 * one), logfk = log(f / k);
    const double z = nu / alpha * fk * logfk, x = log((sqrt(1.0 - 2.0 * rho * z + z * z) + z - rho) / (1.0 - rho));
    const double l2 = one * one * logfk * logfk, below = fk * (1.0 + l2 / 24.0 + l2 * l2 / 1920.0);
    const double more = 1.0 + expiry * (one * one * alpha * alpha / (24.0 * fk * fk) + 0.25 * rho * beta * nu * alpha / fk + (2.0 - 3.0 * rho * rho) * nu * nu / 24.0);
    vols[(size_t)i * m + j] = alpha / below * (fabs(z) < 1e-8 ? 1.0 : z / x) * more;
}

/* Hazards of names from their spreads, quarter by quarter, with four steps of Newton each. */
extern "C" __global__ void __launch_bounds__(64) hazard_bootstrap(const float *__restrict__ spreads, const float *__restrict__ discount, float *__restrict__ hazards, int names, int quarters, float recovery)
{
    const int name = blockIdx.x * 64 + threadIdx.x;
    if (name >= names)
        return;
    float survival = 1.0f, premium = 0.0f, protection = 0.0f, h = 0.02f;
    for (int q = 0; q < quarters; q++) {
        const float s = spreads[q * names + name], df = discount[q];
        float alive = survival;
        for (int k = 0; k < 4; k++) {
            alive = survival * __expf(-0.25f * h);
            const float value = (1.0f - recovery) * (protection + df * (survival - alive)) - s * (premium + 0.25f * df * alive);
            const float slope = (1.0f - recovery) * df * 0.25f * alive + s * 0.0625f * df * alive;
            h = fmaxf(h - value / slope, 1e-6f);
        }
        protection += df * (survival - alive);
        premium += 0.25f * df * alive;
        survival = alive;
        hazards[q * names + name] = h;
    }
}

/* Sums for a regression on four powers of prices in the money: 5 x 5 and 5 right sides, blocks that stride. */
extern "C" __global__ void __launch_bounds__(256, 2) regression_moments(const float *__restrict__ price, const float *__restrict__ cash, double *__restrict__ moments, int paths, float strike)
{
    double power[9] = {}, right[5] = {};
    for (int i = blockIdx.x * 256 + threadIdx.x; i < paths; i += gridDim.x * 256) {
        const float s = price[i] / strike;
        const double w = s < 1.0f ? 1.0 : 0.0, c = cash[i];
        double p = w;
#pragma unroll
        for (int k = 0; k < 9; k++) {
            power[k] += p;
            if (k < 5)
                right[k] += p * c;
            p *= s;
        }
    }
    __shared__ double parts[8];
#pragma unroll
    for (int k = 0; k < 14; k++) {
        double v = k < 9 ? power[k] : right[k - 9];
#pragma unroll
        for (int o = 16; o; o >>= 1)
            v += __shfl_down_sync(0xffffffff, v, o);
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            parts[threadIdx.x / 32] = v;
        __syncthreads();
        if (threadIdx.x == 0) {
#pragma unroll
            for (int w = 1; w < 8; w++)
                v += parts[w];
            atomicAdd(&moments[k], v);
        }
    }
}
