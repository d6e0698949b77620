/* The image of the line detection in data/h200/applications, for the device and for predictions.
 *
 * Plain C.  Never changes: the recordings are of this image. */
#ifndef ROAD_H
#define ROAD_H

#include <math.h>
#include <stddef.h>

/* A dark plane with noise, brighter towards the bottom, and ten straight bright stripes: `ny` rows
 * of `nx` points. */
static void road_fill(float *image, int nx, int ny)
{
    unsigned state = 1;
    float wide = (float)ny / 120.0f;
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            state = state * 1664525u + 1013904223u;
            float value = 40 + 40.0f * (float)y / (float)ny + (float)(state >> 24) / 64.0f;
            for (int line = 0; line < 10; line++) {
                float slope = ((float)line - 4.5f) * 0.35f;
                float middle =
                    (float)nx * (0.05f + 0.1f * (float)line) + slope * (float)(y - ny / 2);
                if (fabsf((float)x - middle) < wide)
                    value += 120;
            }
            image[(size_t)y * (size_t)nx + (size_t)x] = value;
        }
}

#endif
