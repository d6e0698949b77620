// Coordinates that are loaded, rounded, and checked against the bounds of a picture (places.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx places.cu -o places.ptx

__device__ __forceinline__ double at_or_zero(const double *__restrict__ picture, int x, int y, int width, int height)
{
    return x >= 0 && x < width && y >= 0 && y < height ? picture[(size_t)y * width + x] : 0.0;
}

// Four neighbours of a place, or 0 beyond the picture.
extern "C" __global__ void sampled(const float2 *__restrict__ places, const double *__restrict__ picture, float *__restrict__ out, int width, int height)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float2 at = places[i];
    const int x = (int)floorf(at.x * width - 0.5f), y = (int)floorf(at.y * height - 0.5f);
    out[i] = at_or_zero(picture, x, y, width, height) + at_or_zero(picture, x + 1, y, width, height) + at_or_zero(picture, x, y + 1, width, height) +
             at_or_zero(picture, x + 1, y + 1, width, height);
}

// A logarithm asks the bits of its argument: no place.
extern "C" __global__ void logarithms(const float *__restrict__ x, double *__restrict__ out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = logf(x[i]);
}
