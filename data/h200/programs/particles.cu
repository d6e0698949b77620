/* Points, particles, rates of reactions. */

/* Distances of points to centres; features stand one array after the other. */
extern "C" __global__ void nearest_centre(const float *features, const float *centres, int *member, int points, int dims, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < points) {
        int best = -1;
        float least = 3.4e38f;
        for (int c = 0; c < count; c++) {
            float d = 0;
            for (int f = 0; f < dims; f++)
                d += (features[f * points + i] - centres[c * dims + f]) * (features[f * points + i] - centres[c * dims + f]);
            if (d < least) {
                least = d;
                best = c;
            }
        }
        member[i] = best;
    }
}

extern "C" __global__ void euclid(const float2 *locations, float *distance, int n, float lat, float lng)
{
    int i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
    if (i < n) {
        float2 p = locations[i];
        distance[i] = sqrtf((lat - p.x) * (lat - p.x) + (lng - p.y) * (lng - p.y));
    }
}

/* Particles in boxes of 100, each with those of its 27 neighbours (wrapped around). */
extern "C" __global__ void boxes(const float4 *at, const float *charge, float4 *force, int side, float a2)
{
    __shared__ float4 home[100], other[100];
    __shared__ float q[100];
    int b = blockIdx.x, t = threadIdx.x, bx = b % side, by = b / side % side, bz = b / side / side;
    if (t < 100)
        home[t] = at[b * 100 + t];
    float4 f = make_float4(0, 0, 0, 0);
    for (int k = 0; k < 27; k++) {
        int x = (bx + k % 3 + side - 1) % side, y = (by + k / 3 % 3 + side - 1) % side, z = (bz + k / 9 + side - 1) % side;
        int n = (z * side + y) * side + x;
        __syncthreads();
        if (t < 100) {
            other[t] = at[n * 100 + t];
            q[t] = charge[n * 100 + t];
        }
        __syncthreads();
        if (t < 100)
            for (int j = 0; j < 100; j++) {
                float4 p = home[t], o = other[j];
                float r2 = p.w + o.w - (p.x * o.x + p.y * o.y + p.z * o.z);
                float v = expf(-a2 * r2), s = 2 * v;
                f.w += q[j] * v;
                f.x += q[j] * s * (p.x - o.x);
                f.y += q[j] * s * (p.y - o.y);
                f.z += q[j] * s * (p.z - o.z);
            }
    }
    if (t < 100)
        force[b * 100 + t] = f;
}

/* Weighted distances of points to one candidate in many dimensions. */
extern "C" __global__ void gains(const float *coordinates, const float *weight, const float *candidate, float *cost, int points, int dims)
{
    __shared__ float c[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        for (int d = 0; d < dims; d++)
            c[d] = candidate[d];
    __syncthreads();
    if (i >= points)
        return;
    float s = 0;
    for (int d = 0; d < dims; d++) {
        float x = coordinates[d * points + i] - c[d];
        s += x * x;
    }
    cost[i] = s * weight[i];
}

/* Reaction rates: exponentials and logarithms of a temperature, one long body. */
extern "C" __global__ void reaction_rates(const float *temperature, float *rates, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float t = temperature[i] * 1000.0f + 300.0f, l = logf(t), r = 1.0f / (t * 1.987e-3f);
#pragma unroll
    for (int k = 0; k < 24; k++) {
        float a = 20.0f + 0.37f * k, b = 0.5f - 0.11f * k, e = 3.0f + 0.9f * k;
        rates[k * n + i] = expf(a * 0.1f + b * l - e * r);
    }
}

/* An ordinary differential equation a thread, in double precision. */
extern "C" __global__ void membrane(const double *start, double *end, int n, int steps, double h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = start[i], m = 0.05, g = 0.6, w = 0.3;
    for (int s = 0; s < steps; s++) {
        double am = 0.1 * (v + 40) / (1 - exp(-(v + 40) / 10)), bm = 4 * exp(-(v + 65) / 18);
        double ah = 0.07 * exp(-(v + 65) / 20), bh = 1 / (1 + exp(-(v + 35) / 10));
        double an = 0.01 * (v + 55) / (1 - exp(-(v + 55) / 10)), bn = 0.125 * exp(-(v + 65) / 80);
        m += h * (am * (1 - m) - bm * m);
        g += h * (ah * (1 - g) - bh * g);
        w += h * (an * (1 - w) - bn * w);
        v += h * (10 - 120 * m * m * m * g * (v - 50) - 36 * w * w * w * w * (v + 77) - 0.3 * (v + 54.4));
    }
    end[i] = v;
}

/* Option prices by a lattice in shared memory, an option a block. */
extern "C" __global__ void lattice_prices(const float *price, float *out, int steps, float up, float rate)
{
    __shared__ float value[2][512];
    int t = threadIdx.x;
    float s = price[blockIdx.x] * 100.0f;
    value[0][t] = fmaxf(s * exp2f((2.0f * t - steps) * up) - 100.0f, 0.0f);
    int at = 0;
    for (int k = steps; k > 0; k--) {
        __syncthreads();
        if (t < k)
            value[1 - at][t] = rate * (0.52f * value[at][t + 1] + 0.48f * value[at][t]);
        at = 1 - at;
    }
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = value[at][0];
}
