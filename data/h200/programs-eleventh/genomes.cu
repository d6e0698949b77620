/* Reads of genomes: probabilities of haplotypes, places of patterns. */

/* A pair hidden Markov model of a read against a haplotype: a warp a pair, lanes hold rows of the read, antidiagonals by shuffles. */
extern "C" __global__ void pair_hmm_forward(const unsigned char *__restrict__ reads, const unsigned char *__restrict__ qualities, const unsigned char *__restrict__ haplotypes, float *__restrict__ likelihood, int pairs, int read_length, int haplotype_length)
{
    const int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (pair >= pairs)
        return;
    const unsigned char *read = reads + (long long)pair * read_length, *quality = qualities + (long long)pair * read_length, *haplotype = haplotypes + (long long)pair * haplotype_length;
    const float open = 1e-4f, extend = 0.1f, stay = 1.0f - 2.0f * open, back = 1.0f - extend;
    float sum = 0.0f;
    extern __shared__ float border[];
    float *m_row = border + threadIdx.x / 32 * 3 * haplotype_length, *i_row = m_row + haplotype_length, *d_row = i_row + haplotype_length;
    for (int j = lane; j < haplotype_length; j += 32) {
        m_row[j] = 0.0f;
        i_row[j] = 0.0f;
        d_row[j] = 1.0f / haplotype_length;
    }
    __syncwarp();
    for (int first = 0; first < read_length; first += 32) {
        const int r = first + lane;
        const unsigned base = r < read_length ? read[r] : 255;
        const float wrong = r < read_length ? exp2f(-0.33219f * (quality[r] % 40 + 2)) : 0.0f;
        float m = 0.0f, ins = 0.0f, del = 0.0f, m_up = 0.0f, i_up = 0.0f, d_up = 0.0f;
        for (int step = 0; step < haplotype_length + 31; step++) {
            const int j = step - lane;
            const float md = m_up, id = i_up, dd = d_up;
            m_up = __shfl_up_sync(0xffffffffu, m, 1);
            i_up = __shfl_up_sync(0xffffffffu, ins, 1);
            d_up = __shfl_up_sync(0xffffffffu, del, 1);
            if (lane == 0 && j < haplotype_length) {
                m_up = m_row[j];
                i_up = i_row[j];
                d_up = d_row[j];
            }
            if (j >= 0 && j < haplotype_length) {
                const float prior = haplotype[j] == base ? 1.0f - wrong : wrong * (1.0f / 3.0f);
                const float now = prior * (stay * md + back * (id + dd));
                del = open * m + extend * del;
                ins = open * m_up + extend * i_up;
                m = now;
                if (lane == 31) {
                    m_row[j] = m;
                    i_row[j] = ins;
                    d_row[j] = del;
                }
                if (r == read_length - 1)
                    sum += m + ins;
            }
        }
        __syncwarp();
    }
    if ((read_length - 1) % 32 == lane)
        likelihood[pair] = log10f(sum);
}

/* Patterns in an index of Ferragina and Manzini, from their ends: counts of four letters before each 32, letters in two words of bits. */
extern "C" __global__ void search_backwards(const unsigned *__restrict__ counts, const uint2 *__restrict__ letters, const unsigned *__restrict__ smaller, const unsigned char *__restrict__ patterns, uint2 *__restrict__ ranges, int count, int length, unsigned rows)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= count)
        return;
    unsigned low = 0, high = rows;
    for (int k = length - 1; k >= 0 && low < high; k--) {
        const unsigned c = patterns[(long long)k * count + p] & 3;
        unsigned found[2];
#pragma unroll
        for (int e = 0; e < 2; e++) {
            const unsigned at = e ? high : low, b = at / 32;
            const uint2 bits = letters[b];
            const unsigned same = (c & 1 ? bits.x : ~bits.x) & (c & 2 ? bits.y : ~bits.y);
            found[e] = smaller[c] + counts[4 * b + c] + __popc(same & ((1u << at % 32) - 1));
        }
        low = min(found[0], rows);
        high = min(found[1], rows);
    }
    ranges[p] = make_uint2(low, high);
}
