/*
 * Activation functions of neural networks: rectifier, Gaussian error linear unit (by tanh),
 * sigmoid.
 *
 * Launch: one dimension, one thread an element.
 *
 * values  n f32, replaced
 */
extern "C" __global__ void relu(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        values[i] = fmaxf(values[i], 0.0f);
}

extern "C" __global__ void gelu(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float x = values[i];
        values[i] = 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
    }
}

extern "C" __global__ void sigmoid(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        values[i] = 1.0f / (1.0f + expf(-values[i]));
}
