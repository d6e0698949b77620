/* Written by loopy_loops.py. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define lid(N) ((int) get_local_id(N))
#define gid(N) ((int) get_group_id(N))
#if __OPENCL_C_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64: enable
#endif

__kernel void __attribute__ ((reqd_work_group_size(16, 16, 1))) laplacian_prefetched(__global double const *__restrict__ u, __global double *__restrict__ out, int const n)
{
  __local double u_fetch[18 * 18];

  for (int u_dim_0_outer = 0; u_dim_0_outer <= 1 + -1 * lid(1) + (1 + 15 * lid(1)) / 16; ++u_dim_0_outer)
    for (int u_dim_1_outer = 0; u_dim_1_outer <= 1 + -1 * lid(0) + (1 + 15 * lid(0)) / 16; ++u_dim_1_outer)
      u_fetch[18 * (16 * u_dim_0_outer + lid(1)) + 16 * u_dim_1_outer + lid(0)] = u[(n + 2) * (16 * gid(1) + 16 * u_dim_0_outer + lid(1)) + 16 * gid(0) + 16 * u_dim_1_outer + lid(0)];
  barrier(CLK_LOCAL_MEM_FENCE) /* for u_fetch (insn depends on u_fetch_rule) */;
  out[n * (16 * gid(1) + lid(1)) + 16 * gid(0) + lid(0)] = -4.0 * u_fetch[18 * (1 + lid(1)) + 1 + lid(0)] + u_fetch[18 * lid(1) + 1 + lid(0)] + u_fetch[18 * (2 + lid(1)) + 1 + lid(0)] + u_fetch[18 * (1 + lid(1)) + lid(0)] + u_fetch[18 * (1 + lid(1)) + 2 + lid(0)];
}

__kernel void __attribute__ ((reqd_work_group_size(9, 4, 1))) batched_small_products(__global float const *__restrict__ a, __global float const *__restrict__ b, __global float *__restrict__ c, int const elements)
{
  float acc_k;

  if (-1 + -4 * gid(0) + -1 * lid(1) + elements >= 0)
    for (int i = 0; i <= 8; ++i)
    {
      acc_k = 0.0f;
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i] * b[81 * (4 * gid(0) + lid(1)) + lid(0)];
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i + 1] * b[81 * (4 * gid(0) + lid(1)) + 9 + lid(0)];
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i + 2] * b[81 * (4 * gid(0) + lid(1)) + 9 * 2 + lid(0)];
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i + 3] * b[81 * (4 * gid(0) + lid(1)) + 9 * 3 + lid(0)];
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i + 4] * b[81 * (4 * gid(0) + lid(1)) + 9 * 4 + lid(0)];
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i + 5] * b[81 * (4 * gid(0) + lid(1)) + 9 * 5 + lid(0)];
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i + 6] * b[81 * (4 * gid(0) + lid(1)) + 9 * 6 + lid(0)];
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i + 7] * b[81 * (4 * gid(0) + lid(1)) + 9 * 7 + lid(0)];
      acc_k = acc_k + a[81 * (4 * gid(0) + lid(1)) + 9 * i + 8] * b[81 * (4 * gid(0) + lid(1)) + 9 * 8 + lid(0)];
      c[81 * (4 * gid(0) + lid(1)) + 9 * i + lid(0)] = acc_k;
    }
}

__kernel void __attribute__ ((reqd_work_group_size(128, 1, 1))) horner_polynomials(__global float const *__restrict__ x, __global float *__restrict__ y, __global float const *__restrict__ c, int const n)
{
  float v;

  /* bulk slab for 'i_outer' */
  if (-513 + -512 * gid(0) + n >= 0)
  {
    v = c[15];
    v = v * x[512 * gid(0) + lid(0)] + c[14];
    v = v * x[512 * gid(0) + lid(0)] + c[13];
    v = v * x[512 * gid(0) + lid(0)] + c[12];
    v = v * x[512 * gid(0) + lid(0)] + c[11];
    v = v * x[512 * gid(0) + lid(0)] + c[10];
    v = v * x[512 * gid(0) + lid(0)] + c[9];
    v = v * x[512 * gid(0) + lid(0)] + c[8];
    v = v * x[512 * gid(0) + lid(0)] + c[7];
    v = v * x[512 * gid(0) + lid(0)] + c[6];
    v = v * x[512 * gid(0) + lid(0)] + c[5];
    v = v * x[512 * gid(0) + lid(0)] + c[4];
    v = v * x[512 * gid(0) + lid(0)] + c[3];
    v = v * x[512 * gid(0) + lid(0)] + c[2];
    v = v * x[512 * gid(0) + lid(0)] + c[1];
    v = v * x[512 * gid(0) + lid(0)] + c[0];
    y[512 * gid(0) + lid(0)] = v;
    v = c[15];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[14];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[13];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[12];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[11];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[10];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[9];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[8];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[7];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[6];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[5];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[4];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[3];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[2];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[1];
    v = v * x[512 * gid(0) + 128 + lid(0)] + c[0];
    y[512 * gid(0) + 128 + lid(0)] = v;
    v = c[15];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[14];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[13];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[12];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[11];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[10];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[9];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[8];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[7];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[6];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[5];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[4];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[3];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[2];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[1];
    v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[0];
    y[512 * gid(0) + 128 * 2 + lid(0)] = v;
    v = c[15];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[14];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[13];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[12];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[11];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[10];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[9];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[8];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[7];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[6];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[5];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[4];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[3];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[2];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[1];
    v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[0];
    y[512 * gid(0) + 128 * 3 + lid(0)] = v;
  }
  /* final slab for 'i_outer' */
  if (-1 + -512 * gid(0) + -1 * lid(0) + n >= 0 && 512 + 512 * gid(0) + -1 * n >= 0)
  {
    v = c[15];
    v = v * x[512 * gid(0) + lid(0)] + c[14];
    v = v * x[512 * gid(0) + lid(0)] + c[13];
    v = v * x[512 * gid(0) + lid(0)] + c[12];
    v = v * x[512 * gid(0) + lid(0)] + c[11];
    v = v * x[512 * gid(0) + lid(0)] + c[10];
    v = v * x[512 * gid(0) + lid(0)] + c[9];
    v = v * x[512 * gid(0) + lid(0)] + c[8];
    v = v * x[512 * gid(0) + lid(0)] + c[7];
    v = v * x[512 * gid(0) + lid(0)] + c[6];
    v = v * x[512 * gid(0) + lid(0)] + c[5];
    v = v * x[512 * gid(0) + lid(0)] + c[4];
    v = v * x[512 * gid(0) + lid(0)] + c[3];
    v = v * x[512 * gid(0) + lid(0)] + c[2];
    v = v * x[512 * gid(0) + lid(0)] + c[1];
    v = v * x[512 * gid(0) + lid(0)] + c[0];
    y[512 * gid(0) + lid(0)] = v;
    if (-129 + -512 * gid(0) + -1 * lid(0) + n >= 0)
    {
      v = c[15];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[14];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[13];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[12];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[11];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[10];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[9];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[8];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[7];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[6];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[5];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[4];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[3];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[2];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[1];
      v = v * x[512 * gid(0) + 128 + lid(0)] + c[0];
      y[512 * gid(0) + 128 + lid(0)] = v;
    }
    if (-257 + -512 * gid(0) + -1 * lid(0) + n >= 0)
    {
      v = c[15];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[14];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[13];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[12];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[11];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[10];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[9];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[8];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[7];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[6];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[5];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[4];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[3];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[2];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[1];
      v = v * x[512 * gid(0) + 128 * 2 + lid(0)] + c[0];
      y[512 * gid(0) + 128 * 2 + lid(0)] = v;
    }
    if (-385 + -512 * gid(0) + -1 * lid(0) + n >= 0)
    {
      v = c[15];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[14];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[13];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[12];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[11];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[10];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[9];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[8];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[7];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[6];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[5];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[4];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[3];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[2];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[1];
      v = v * x[512 * gid(0) + 128 * 3 + lid(0)] + c[0];
      y[512 * gid(0) + 128 * 3 + lid(0)] = v;
    }
  }
}

__kernel void __attribute__ ((reqd_work_group_size(64, 1, 1))) row_norms(__global float const *__restrict__ m, __global float *__restrict__ norm, int const rows, int const columns)
{
  float acc_j;

  if (-1 + columns >= 0 && -1 + -64 * gid(0) + -1 * lid(0) + rows >= 0)
  {
    acc_j = 0.0f;
    for (int j = 0; j <= -1 + columns; ++j)
      acc_j = acc_j + m[columns * (64 * gid(0) + lid(0)) + j] * m[columns * (64 * gid(0) + lid(0)) + j];
    norm[64 * gid(0) + lid(0)] = acc_j;
  }
}
