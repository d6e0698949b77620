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
static float normal_distribution(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float tail = 0.39894228f * exp(-0.5f * x * x) * k *
                 (0.31938153f + k * (-0.356563782f +
                                     k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0.0f ? 1.0f - tail : tail;
}

__kernel void black_scholes(__global const float *restrict spot,
                            __global const float *restrict strike,
                            __global const float *restrict years, __global float *restrict call,
                            __global float *restrict put, float rate, float volatility, int n)
{
    int i = get_global_id(0);

    if (i < n) {
        float spread = volatility * sqrt(years[i]);
        float d1 = (log(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
                   spread;
        float p1 = normal_distribution(d1), p2 = normal_distribution(d1 - spread);
        float discounted = strike[i] * exp(-rate * years[i]);
        call[i] = spot[i] * p1 - discounted * p2;
        put[i] = discounted * (1.0f - p2) - spot[i] * (1.0f - p1);
    }
}
