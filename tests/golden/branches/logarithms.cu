/* Tests of a number's bits, by which functions whose argument is positive refuse others. */

/* log: denormal numbers are scaled, and the exponent is that of either way */
extern "C" __global__ void double_logs(const double *a, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = log(a[i]);
}

/* a sign, by the number and by its bits, says nothing: half of the numbers */
extern "C" __global__ void signs(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = a[i];
    if (x > 0.f)
        out[3 * i] = 1.f / x;
    if (__float_as_int(x) < 0)
        out[3 * i + 1] = 3.f / x;
    if (x > 1e-6f)
        out[3 * i + 2] = 7.f / x;
}
