/* The edges of the image that the line detection in data/h200/applications was recorded with.
 *
 * usage: road-edges NX NY EDGES DIRECTIONS
 * Writes what `vote` (kernels/applications/lanes.cu) finds: a byte a point, and cosine and sine of
 * 180 angles.  Does what `smooth` and `mark_edges` do. */
#include "../../scripts/device/road.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ANGLES = 180 };
static const float threshold = 100;

static void smooth(float *to, const float *image, int nx, int ny)
{
    static const float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            const float *at = image + (size_t)y * (size_t)nx + x;
            float sum = 0;
            if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2)
                sum = *at;
            else
                for (int j = -2; j <= 2; j++)
                    for (int i = -2; i <= 2; i++)
                        sum += weights[j + 2] * weights[i + 2] * at[j * nx + i];
            to[(size_t)y * (size_t)nx + (size_t)x] = sum;
        }
}

static void mark_edges(unsigned char *edges, const float *smoothed, int nx, int ny)
{
    for (int y = 1; y < ny - 1; y++)
        for (int x = 1; x < nx - 1; x++) {
            const float *here = smoothed + (size_t)y * (size_t)nx + x;
            const float *above = here - nx, *below = here + nx;
            float right = above[1] + 2 * here[1] + below[1];
            float left = above[-1] + 2 * here[-1] + below[-1];
            float low = below[-1] + 2 * below[0] + below[1];
            float high = above[-1] + 2 * above[0] + above[1];
            float gx = right - left, gy = low - high;
            edges[(size_t)y * (size_t)nx + (size_t)x] = sqrtf(gx * gx + gy * gy) > threshold;
        }
}

static int save(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    int failed = !file || fwrite(bytes, 1, count, file) != count;
    if (file && fclose(file))
        failed = 1;
    return failed;
}

int main(int count, char **words)
{
    const int nx = count == 5 ? atoi(words[1]) : 0, ny = count == 5 ? atoi(words[2]) : 0;
    const double pi = 3.14159265358979323846;
    float directions[ANGLES][2];
    if (nx < 5 || ny < 5) {
        fprintf(stderr, "usage: road-edges NX NY EDGES DIRECTIONS\n");
        return 2;
    }
    const size_t points = (size_t)nx * (size_t)ny;
    float *image = malloc(points * sizeof(*image)), *smoothed = malloc(points * sizeof(*smoothed));
    unsigned char *edges = calloc(points, 1);
    int failed = !image || !smoothed || !edges;
    if (!failed) {
        road_fill(image, nx, ny);
        smooth(smoothed, image, nx, ny);
        mark_edges(edges, smoothed, nx, ny);
        for (int i = 0; i < ANGLES; i++) {
            directions[i][0] = (float)cos(i * pi / ANGLES);
            directions[i][1] = (float)sin(i * pi / ANGLES);
        }
        failed = save(words[3], edges, points) || save(words[4], directions, sizeof(directions));
    }
    free(image);
    free(smoothed);
    free(edges);
    return failed;
}
