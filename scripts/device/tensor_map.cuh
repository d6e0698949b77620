// The map of a tensor of two dimensions, by the driver's function, which the runtime finds.
#pragma once
#include "check.cuh"
#include <cuda.h>

// Of nx by ny elements of so many bytes, boxes of wide by high.
inline CUtensorMap map_of(CUtensorMapDataType type, size_t bytes, const void *array, uint64_t nx, uint64_t ny, unsigned wide,
                          unsigned high, CUtensorMapSwizzle swizzle)
{
    typedef CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                               const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    static encode function;
    if (!function) {
        void *found = NULL;
        cudaDriverEntryPointQueryResult result;
        CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
        function = (encode)found;
    }
    CUtensorMap map;
    cuuint64_t sizes[2] = {nx, ny}, strides[1] = {nx * bytes};
    cuuint32_t box[2] = {wide, high}, steps[2] = {1, 1};
    CUresult error = function(&map, type, 2, (void *)array, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                              CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (error) {
        fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", error);
        exit(1);
    }
    return map;
}
