template <typename T> __global__ void scale(T *a, T f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= f;
}
template __global__ void scale<float>(float *, float, int);
template __global__ void scale<double>(double *, double, int);
