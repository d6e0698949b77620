/*
 * Calls a function that is not inlined: one step of Newton's method for a cube root, repeated.
 *
 * Launch: one dimension, one thread an element.
 *
 * source  n f32, above zero
 * target  n f32: cube roots
 * steps   of Newton's method
 */
__device__ __noinline__ float newton_step(float root, float value)
{
    return root - (root * root * root - value) / (3.0f * root * root);
}

extern "C" __global__ void device_call(const float *source, float *target, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float root = 1.0f;
        for (int j = 0; j < steps; j++)
            root = newton_step(root, source[i]);
        target[i] = root;
    }
}
