/* Taps of images with borders, and rows that a block stores behind a long loop; for cli/taps.py. */

/* The sum of 5 x 5 pixels of images that lie one behind the other, a pixel a thread, zeros beyond borders; two pixels
 * of a batch at a time, so that the conditions on quotients come several times. */
extern "C" __global__ void taps(const float *in, float *out, int images, int height, int width, int channels)
{
    int pixels = images * height * width;
    float sum = 0;
    for (int tap = 0; tap < 25; tap++)
        for (int c = 0; c < channels; c++)
            for (int i = threadIdx.x; i < 256; i += 128) {
                int p = blockIdx.x * 64 + i / 4, x = p % width + tap % 5 - 2, y = p / width % height + tap / 5 - 2;
                if (p < pixels && x >= 0 && x < width && y >= 0 && y < height)
                    sum += in[((long long)(p + (tap / 5 - 2) * width + tap % 5 - 2) * channels + c) * 4 + i % 4];
            }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* A block walks over a row of its own many times, then stores 16 rows of another array. */
extern "C" __global__ void stores_at_the_end(const float *in, float *out, int times)
{
    float sum = 0;
#pragma unroll 1
    for (int t = 0; t < times; t++)
        sum += in[((long long)t * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x];
#pragma unroll 1
    for (int row = 0; row < 16; row++)
        out[((long long)blockIdx.x * 16 + row) * blockDim.x + threadIdx.x] = sum + row;
}
