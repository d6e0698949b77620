/*
 * Escape times of the Mandelbrot set over a window of the plane.
 *
 * Launch: two dimensions, one thread a point, x along the rows of the image, any block.
 *
 * times   s32, height rows of width points: steps until escape, at most `limit`
 * left    real part of the first column
 * top     imaginary part of the first row
 * step    distance between points
 *
 * Depends on data: the trip count on values computed in the loop (none are loaded).
 */
extern "C" __global__ void mandelbrot(int *times, int width, int height, float left, float top,
                                      float step, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        float cr = left + step * x, ci = top + step * y;
        float zr = 0.0f, zi = 0.0f;
        int time = 0;
        while (time < limit && zr * zr + zi * zi < 4.0f) {
            float next = zr * zr - zi * zi + cr;
            zi = 2.0f * zr * zi + ci;
            zr = next;
            time++;
        }
        times[y * width + x] = time;
    }
}
