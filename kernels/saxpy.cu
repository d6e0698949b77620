/*
 * y = a * x + y by a grid-stride loop: every thread takes elements a whole grid apart.
 *
 * Launch: one dimension, any grid and block.
 *
 * x, y  arrays of n f32
 * a     factor
 * n     elements
 */
extern "C" __global__ void saxpy(const float *x, float *y, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
