/* A pass of a transform whose length is a power of three. */

__device__ __forceinline__ double2 times(double2 a, double2 b)
{
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* Stockham's pass: n / 3 butterflies of three, ns of them done. */
extern "C" __global__ void __launch_bounds__(192) fft_radix3(const double2 *__restrict__ in, double2 *__restrict__ out, int n, int ns)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, third = n / 3;
    if (j >= third)
        return;
    const int k = j % ns;
    double s, c;
    sincospi(-2.0 * k / (3.0 * ns), &s, &c);
    const double2 w1 = make_double2(c, s), w2 = times(w1, w1);
    const double2 a = in[j], b = times(in[j + third], w1), d = times(in[j + 2 * third], w2);
    const double2 sum = make_double2(b.x + d.x, b.y + d.y), part = make_double2(a.x - 0.5 * sum.x, a.y - 0.5 * sum.y);
    const double h = 0.86602540378443864676;
    const double2 turn = make_double2(h * (b.y - d.y), -h * (b.x - d.x));
    const int at = j / ns * 3 * ns + k;
    out[at] = make_double2(a.x + sum.x, a.y + sum.y);
    out[at + ns] = make_double2(part.x + turn.x, part.y + turn.y);
    out[at + 2 * ns] = make_double2(part.x - turn.x, part.y - turn.y);
}
