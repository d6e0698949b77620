/*
 * One generation of Conway's game of life on a torus.
 *
 * Launch: two dimensions, one thread a cell, x along the rows, any block.
 *
 * cells  u8, height rows of width cells, 1 alive, 0 dead
 * next   u8, the same shape
 */
extern "C" __global__ void life(const unsigned char *cells, unsigned char *next, int width,
                                int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height) {
        int neighbours = 0;
        for (int dy = height - 1; dy <= height + 1; dy++)
            for (int dx = width - 1; dx <= width + 1; dx++)
                neighbours += cells[(y + dy) % height * width + (x + dx) % width];
        int alive = cells[y * width + x];
        neighbours -= alive;
        next[y * width + x] = (neighbours == 3) | (alive & (neighbours == 2));
    }
}
