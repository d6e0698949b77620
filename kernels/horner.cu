/*
 * Evaluates a polynomial at each element by Horner's method, in double precision.
 *
 * Launch: one dimension, one thread an element.
 *
 * x             n f64
 * coefficients  degree + 1 f64, the highest power's first
 * y             n f64
 */
extern "C" __global__ void horner(const double *__restrict__ x,
                                  const double *__restrict__ coefficients, double *__restrict__ y,
                                  int n, int degree)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        double value = coefficients[0];
        for (int j = 1; j <= degree; j++)
            value = value * x[i] + coefficients[j];
        y[i] = value;
    }
}
