/*
 * Black-Scholes prices of European options; the normal distribution by formula 26.2.17 of
 * Abramowitz and Stegun, Handbook of Mathematical Functions.
 *
 * Launch: one dimension, one thread an option.
 *
 * spot, strike, years  n f32, above zero
 * call, put            n f32: prices
 * rate, volatility     of all options, a year
 *
 * Depends on data: the logarithm may have a branch for infinite numbers (never taken here).
 */
__device__ static float normal_distribution(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    float tail = 0.39894228f * expf(-0.5f * x * x) * k *
                 (0.31938153f + k * (-0.356563782f +
                                     k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float *__restrict__ spot,
                                         const float *__restrict__ strike,
                                         const float *__restrict__ years, float *__restrict__ call,
                                         float *__restrict__ put, float rate, float volatility,
                                         int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float spread = volatility * sqrtf(years[i]);
        float d1 =
            (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
            spread;
        float p1 = normal_distribution(d1), p2 = normal_distribution(d1 - spread);
        float discounted = strike[i] * expf(-rate * years[i]);
        call[i] = spot[i] * p1 - discounted * p2;
        put[i] = discounted * (1.0f - p2) - spot[i] * (1.0f - p1);
    }
}
