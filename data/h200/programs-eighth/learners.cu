/* What learns without layers: covariances for principal components, and forests. */

/* A tile of 32 x 32 of the covariances, above the diagonal alone. */
extern "C" __global__ void covariance_tiles(const float *__restrict__ data, const float *__restrict__ mean, float *__restrict__ cov, int samples, int features)
{
    if (blockIdx.y > blockIdx.x)
        return;
    __shared__ float left[32][33], right[32][33];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int ci = blockIdx.y * 32 + tx, cj = blockIdx.x * 32 + tx;
    const float mi = ci < features ? mean[ci] : 0.f, mj = cj < features ? mean[cj] : 0.f;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    for (int s0 = 0; s0 < samples; s0 += 32) {
        for (int r = ty; r < 32; r += 8) {
            const int s = s0 + r;
            left[r][tx] = s < samples && ci < features ? data[(size_t)s * features + ci] - mi : 0.f;
            right[r][tx] = s < samples && cj < features ? data[(size_t)s * features + cj] - mj : 0.f;
        }
        __syncthreads();
#pragma unroll 8
        for (int s = 0; s < 32; s++) {
            const float b = right[s][tx];
            for (int q = 0; q < 4; q++)
                acc[q] += left[s][ty + 8 * q] * b;
        }
        __syncthreads();
    }
    for (int q = 0; q < 4; q++) {
        const int i = blockIdx.y * 32 + ty + 8 * q;
        if (i < features && cj < features) {
            const float value = acc[q] / (samples - 1);
            cov[(size_t)i * features + cj] = value;
            cov[(size_t)cj * features + i] = value;
        }
    }
}

/* Thresholds in steps of the quantised features. */
struct Node {
    int threshold;
    int feature;
};

/* A sample a thread through trees that are all as deep. */
extern "C" __global__ void forest_votes(const Node *__restrict__ nodes, const float *__restrict__ leaves, const float *__restrict__ rows, float *__restrict__ score, int samples, int features, int trees, int depth,
                                        float step)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples)
        return;
    const float *row = rows + (size_t)i * features;
    const int inner = (1 << depth) - 1;
    float sum = 0.0f;
    for (int t = 0; t < trees; t++) {
        const Node *tree = nodes + (size_t)t * inner;
        int at = 0;
        for (int level = 0; level < depth; level++) {
            const Node node = tree[at];
            at = 2 * at + 1 + (row[node.feature] > node.threshold * step);
        }
        sum += leaves[(size_t)t * (inner + 1) + at - inner];
    }
    score[i] = 1.0f / (1.0f + expf(-sum));
}
