/* Robots and bodies: arms, sums over a pose, pendulums; compiled by clang. */

struct Pose {
    float r[9], t[3];
};

__device__ __forceinline__ Pose operator*(const Pose &a, const Pose &b)
{
    Pose c;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        c.t[i] = a.t[i];
#pragma unroll
        for (int j = 0; j < 3; j++) {
            c.r[3 * i + j] = a.r[3 * i] * b.r[j] + a.r[3 * i + 1] * b.r[3 + j] + a.r[3 * i + 2] * b.r[6 + j];
            c.t[i] += a.r[3 * i + j] * b.t[j];
        }
    }
    return c;
}

/* Places of seven joints of an arm and the end's distance to a goal; joints lie joint by joint. */
extern "C" __global__ void __launch_bounds__(128) arm_forward(const float *__restrict__ joints, const float *__restrict__ links, float *__restrict__ places, float *__restrict__ distance, int count, float gx, float gy, float gz)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    Pose p = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    for (int j = 0; j < 7; j++) {
        float s, c;
        sincosf(joints[(long long)j * count + i], &s, &c);
        const float ca = links[4 * j], sa = links[4 * j + 1], a = links[4 * j + 2], d = links[4 * j + 3];
        const Pose link = {{c, -s * ca, s * sa, s, c * ca, -c * sa, 0, sa, ca}, {a * c, a * s, d}};
        p = p * link;
        for (int k = 0; k < 3; k++)
            places[((long long)j * 3 + k) * count + i] = p.t[k];
    }
    distance[i] = sqrtf((p.t[0] - gx) * (p.t[0] - gx) + (p.t[1] - gy) * (p.t[1] - gy) + (p.t[2] - gz) * (p.t[2] - gz));
}

/* Double pendulums by Runge and Kutta: a thread a pendulum, state in registers, steps in a loop. */
__device__ __forceinline__ void slope(const double *s, double *d, double ratio)
{
    const double delta = s[1] - s[0], sd = sin(delta), cd = cos(delta), m = 1.0 + ratio * sd * sd;
    d[0] = s[2];
    d[1] = s[3];
    d[2] = (ratio * sd * (s[2] * s[2] * cd + s[3] * s[3]) + 9.81 * (ratio * sin(s[1]) * cd - sin(s[0]) * (1.0 + ratio))) / m;
    d[3] = (-sd * (s[2] * s[2] * (1.0 + ratio) + ratio * s[3] * s[3] * cd) + 9.81 * (1.0 + ratio) * (sin(s[0]) * cd - sin(s[1]))) / m;
}

extern "C" __global__ void double_pendulums(double *__restrict__ states, int count, int steps, double h, double ratio)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    double s[4], k[4], sum[4], at[4];
    for (int c = 0; c < 4; c++)
        s[c] = states[(long long)c * count + i];
    for (int n = 0; n < steps; n++) {
        for (int c = 0; c < 4; c++) {
            at[c] = s[c];
            sum[c] = 0;
        }
        for (int stage = 0; stage < 4; stage++) {
            slope(at, k, ratio);
            const double w = stage == 0 || stage == 3 ? 1.0 / 6.0 : 1.0 / 3.0, f = stage == 2 ? h : 0.5 * h;
            for (int c = 0; c < 4; c++) {
                sum[c] += w * k[c];
                at[c] = s[c] + f * k[c];
            }
        }
        for (int c = 0; c < 4; c++)
            s[c] += h * sum[c];
    }
    for (int c = 0; c < 4; c++)
        states[(long long)c * count + i] = s[c];
}
