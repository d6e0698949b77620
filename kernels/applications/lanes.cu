/*
 * Finds straight lines in an image, as lane detection does: launched in this order for each frame.
 *
 * smooth       the 5 x 5 binomial filter; points near the border are copied
 * mark_edges   1 where the length of Sobel's gradient is over a threshold, else 0
 * clear_votes  sets the accumulator to 0
 * vote         each edge point adds 1 for each angle to the line through it at this angle
 * strongest    for each angle, the distance with most votes, in one block
 *
 * Launch: smooth, mark_edges and vote: two dimensions, one thread a point, x along the rows, any block.
 * clear_votes: one dimension, one thread an element. strongest: a block an angle, of 256 threads.
 *
 * image        f32, ny rows of nx points
 * smoothed     f32, the shape of image
 * edges        u8, the shape of image
 * directions   f32, cosine and sine of each angle
 * votes        u32, a row of `distances` for each angle
 * best         u32, one an angle: the votes of the strongest line, and where it is
 */
extern "C" __global__ void smooth(const float *__restrict__ image, float *__restrict__ smoothed,
                                  int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= nx || y >= ny)
        return;
    if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2) {
        smoothed[y * nx + x] = image[y * nx + x];
        return;
    }
    const float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 5; j++)
#pragma unroll
        for (int i = 0; i < 5; i++)
            sum += weights[j] * weights[i] * image[(y + j - 2) * nx + x + i - 2];
    smoothed[y * nx + x] = sum;
}

extern "C" __global__ void mark_edges(const float *__restrict__ smoothed,
                                      unsigned char *__restrict__ edges, int nx, int ny,
                                      float threshold)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= nx || y >= ny)
        return;
    unsigned char edge = 0;
    if (x >= 1 && x < nx - 1 && y >= 1 && y < ny - 1) {
        const float *above = smoothed + (y - 1) * nx + x;
        const float *here = smoothed + y * nx + x;
        const float *below = smoothed + (y + 1) * nx + x;
        float right = above[1] + 2.0f * here[1] + below[1];
        float left = above[-1] + 2.0f * here[-1] + below[-1];
        float low = below[-1] + 2.0f * below[0] + below[1];
        float high = above[-1] + 2.0f * above[0] + above[1];
        float gx = right - left, gy = low - high;
        edge = sqrtf(gx * gx + gy * gy) > threshold;
    }
    edges[y * nx + x] = edge;
}

extern "C" __global__ void clear_votes(unsigned *votes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        votes[i] = 0;
}

extern "C" __global__ void vote(const unsigned char *__restrict__ edges,
                                const float2 *__restrict__ directions,
                                unsigned *__restrict__ votes, int nx, int ny, int angles,
                                int distances)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= nx || y >= ny)
        return;
    if (edges[y * nx + x]) {
        for (int k = 0; k < angles; k++) {
            float2 direction = directions[k];
            int place = (int)(x * direction.x + y * direction.y) + distances / 2;
            atomicAdd(&votes[k * distances + place], 1u);
        }
    }
}

extern "C" __global__ void strongest(const unsigned *__restrict__ votes, uint2 *__restrict__ best,
                                     int distances)
{
    __shared__ unsigned counts[256];
    __shared__ unsigned places[256];
    unsigned most = 0, place = 0;

    for (int i = threadIdx.x; i < distances; i += 256) {
        unsigned count = votes[blockIdx.x * distances + i];
        if (count > most) {
            most = count;
            place = i;
        }
    }
    counts[threadIdx.x] = most;
    places[threadIdx.x] = place;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (threadIdx.x < half && counts[threadIdx.x + half] > counts[threadIdx.x]) {
            counts[threadIdx.x] = counts[threadIdx.x + half];
            places[threadIdx.x] = places[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        best[blockIdx.x] = make_uint2(counts[0], places[0]);
}
