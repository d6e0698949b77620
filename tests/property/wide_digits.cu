// Digits of indices of 64 bits, as libraries number elements: before each quotient a compiler asks whether 32 bits do.

// Rows and columns of a picture with several channels change places.
template <typename index>
__device__ void regroup(const float *in, float *out, index rows, index columns, index channels, index total)
{
    for (index i = blockIdx.x * (index)blockDim.x + threadIdx.x; i < total; i += (index)gridDim.x * blockDim.x) {
        const index channel = i % channels, pixel = i / channels, column = pixel % columns, line = pixel / columns;
        const index row = line % rows, picture = line / rows;
        out[i] = in[((picture * columns + column) * rows + row) * channels + channel];
    }
}

extern "C" __global__ void regroup_int(const float *in, float *out, int rows, int columns, int channels, int total)
{
    regroup<int>(in, out, rows, columns, channels, total);
}

extern "C" __global__ void regroup_long(const float *in, float *out, long long rows, long long columns, long long channels, long long total)
{
    regroup<long long>(in, out, rows, columns, channels, total);
}

// Numbers on both sides of 2^32.
extern "C" __global__ void turns(float *out, long long first, long long period, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const long long place = (first + i) % period, turn = (first + i) / period;
    out[i] = (float)(place - turn % 7);
}
