// Tiles by the collectives of a library: exclusive sums and sorts of a block.
#include <cub/cub.cuh>

template <int THREADS, int ITEMS>
__device__ __forceinline__ void scan_one_tile(const int *in, int *out, int *totals, int n)
{
    using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } temp;
    const int base = blockIdx.x * THREADS * ITEMS, valid = n - base;
    int items[ITEMS], total;
    if (valid >= THREADS * ITEMS)
        Load(temp.load).Load(in + base, items);
    else
        Load(temp.load).Load(in + base, items, valid, 0);
    __syncthreads();
    Scan(temp.scan).ExclusiveSum(items, items, total);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
    __syncthreads();
    if (valid >= THREADS * ITEMS)
        Store(temp.store).Store(out + base, items);
    else
        Store(temp.store).Store(out + base, items, valid);
}

extern "C" __global__ void __launch_bounds__(128) scan_tiles(const int *in, int *out, int *totals, int n)
{
    scan_one_tile<128, 15>(in, out, totals, n);
}

extern "C" __global__ void __launch_bounds__(256) sort_tiles(const unsigned *keys_in, const unsigned *values_in, unsigned *keys_out, unsigned *values_out)
{
    using Sort = cub::BlockRadixSort<unsigned, 256, 8, unsigned>;
    __shared__ typename Sort::TempStorage temp;
    unsigned keys[8], values[8];
    const int base = blockIdx.x * 2048;
    cub::LoadDirectStriped<256>(threadIdx.x, keys_in + base, keys);
    cub::LoadDirectStriped<256>(threadIdx.x, values_in + base, values);
    Sort(temp).SortBlockedToStriped(keys, values, 0, 16);
    cub::StoreDirectStriped<256>(threadIdx.x, keys_out + base, keys);
    cub::StoreDirectStriped<256>(threadIdx.x, values_out + base, values);
}
