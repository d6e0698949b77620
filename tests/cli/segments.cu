/* Pieces of rows that other accesses continue, and entries of a table that are fetches of their own; for
 * cli/segments.py. */

/* Pairs of elements `half` apart are rotated in place, in rows of 2 half: the two pieces of a head lie side by side. */
extern "C" __global__ void heads(float *x, int half, int row)
{
    float *r = x + blockIdx.x * (long long)row;
    int i = threadIdx.x, at = i / half * 2 * half + i % half;
    float a = r[at], b = r[at + half];
    r[at] = a * 0.8f - b * 0.6f;
    r[at + half] = b * 0.8f + a * 0.6f;
}

/* The same of elements half a row apart. */
extern "C" __global__ void row_halves(float *x, int half, int row)
{
    float *r = x + blockIdx.x * (long long)row;
    int i = threadIdx.x;
    float a = r[i], b = r[i + row / 2];
    r[i] = a * 0.8f - b * 0.6f;
    r[i + row / 2] = b * 0.8f + a * 0.6f;
}

/* A stage of a transform: the table's entries lie 256 bytes apart, and all of them are read before the first is again. */
extern "C" __global__ void table_entries(const double *in, const double *table, double *out, int mask)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] * table[(t & mask) * 32];
}
