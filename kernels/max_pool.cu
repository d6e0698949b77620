/*
 * Largest value of each 2 x 2 square of each channel's image: a flat thread number is taken apart
 * by division and remainder.
 *
 * Launch: one dimension, one thread an element of target.
 *
 * source  f32, `channels` images of 2 * height rows of 2 * width points
 * target  f32, `channels` images of height rows of width points
 */
extern "C" __global__ void max_pool(const float *source, float *target, int channels, int width,
                                    int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < channels * width * height) {
        int x = i % width, y = i / width % height, channel = i / (width * height);
        int at = (channel * 2 * height + 2 * y) * 2 * width + 2 * x;
        target[i] = fmaxf(fmaxf(source[at], source[at + 1]),
                          fmaxf(source[at + 2 * width], source[at + 2 * width + 1]));
    }
}
