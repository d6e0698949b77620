"""Launches of data/h200/programs-eighth: an eighth set that is kept back whole (write-programs)."""
import json
import os
import re

from programs_launches import LAUNCHES, f16, f32, f64, launch, ramp, s32, u8, u32, up, zero


def tensors():
    f = 'elementwise'
    for size, n in [('small', 1000000), ('medium', 30000005), ('large', 400000000)]:
        launch(f, 'mish_vec8', size, up(n, 2048), 128, {'n': n}, {'out': zero(n, 'f16'), 'in': f16(n, -3, 3)}, 'out')
    for size, n, c, h, w, block in [('small', 4, 32, 56, 56, 256), ('medium', 16, 96, 112, 112, 128), ('large', 64, 200, 100, 96, 512)]:
        count = n * c * h * w
        launch(f, 'broadcast_add', size, up(count, 4 * block), block, {'alpha': 0.5, 'numel': count, 'C': c, 'H': h, 'W': w},
               {'out': zero(count), 'a': f32(count), 'b': f32(c * w)}, 'out')
    f = 'row_gradients'
    for size, rows, cols, block in [('small', 3000, 768, (32, 4)), ('medium', 20000, 1000, (32, 4)), ('large', 100003, 1024, (32, 8))]:
        launch(f, 'softmax_backward_warp', size, up(rows, block[1]), block, {'batch_size': rows, 'stride': cols, 'element_count': cols},
               {'gradInput': zero(rows * cols), 'grad': f32(rows * cols, -1), 'output': f32(rows * cols, -8, -1)}, 'gradInput')
    for size, rows, cols in [('small', 1000, 768), ('medium', 16384, 2048), ('large', 40000, 5120)]:
        launch(f, 'layernorm_gamma_grad', size, up(cols, 32), (32, 32), {'M': rows, 'N': cols},
               {'dY': f16(rows * cols, -1), 'X': f16(rows * cols, -1), 'mean': f32(rows), 'rstd': f32(rows, 1, 2), 'dg': zero(cols, 'f16'), 'db': zero(cols, 'f16')}, 'dg db')
    f = 'block_quants'
    for size, rows, cols in [('small', 3000, 4096), ('medium', 14336, 4096), ('large', 100000, 8192)]:
        blocks = cols // 256
        launch(f, 'q6k_mat_vec', size, rows, (32, 4), {'ncols': cols}, {'vx': {**u8(210 * rows * blocks), 'high': 60}, 'vy': {**u8(36 * 8 * blocks), 'high': 60}, 'dst': zero(rows)}, 'dst')
    for size, kx, rows in [('small', 4096, 64), ('medium', 11008, 1024), ('large', 14336, 16000)]:
        padded = up(kx, 512) * 512
        launch(f, 'quantize_q8_1', size, (up(padded, 256), rows), 256, {'kx': kx, 'kx0_padded': padded}, {'x': f32(kx * rows, -1), 'vy': zero(padded // 32 * 36 * rows, 'u8')}, 'vy')
    f = 'decode_steps'
    for size, batch, kv_heads, seq, splits in [('small', 1, 8, 1000, 8), ('medium', 8, 8, 4096, 8), ('large', 32, 8, 16000, 16)]:
        heads, cache = 4 * kv_heads, batch * kv_heads * seq * 128
        launch(f, 'gqa_decode_split', size, (splits, kv_heads, batch), 128, {'seq_len': seq, 'chunk': up(seq, splits), 'scale': 0.088},
               {'q': f16(batch * heads * 128, -1), 'k_cache': f16(cache, -1), 'v_cache': f16(cache, -1), 'partial': zero(batch * heads * splits * 128), 'partial_ml': zero(2 * batch * heads * splits)},
               'partial partial_ml')
    for size, rows, cols in [('small', 500, 2000), ('medium', 6000, 8192), ('large', 10000, 32000)]:
        launch(f, 'warp_select_topk', size, up(rows, 4), 128, {'rows': rows, 'cols': cols}, {'in': f32(rows * cols, -5, 5), 'best': zero(32 * rows), 'where': zero(32 * rows, 's32')}, 'best where',
               depends='how often a greater one is found')
    f = 'cells'
    for size, batch, hidden, blocks in [('small', 128, 512, 128), ('medium', 2048, 1500, 1056), ('large', 32768, 1024, 2000)]:
        n = batch * hidden
        launch(f, 'gru_pointwise', size, blocks, 512, {'hsz': hidden, 'totalElements': n},
               {'Input': f16(3 * n, -1), 'Hidden': f16(3 * n, -1), 'Bias1': f16(3 * hidden), 'Bias2': f16(3 * hidden), '_hx': f16(n, -1), '_hy': zero(n, 'f16'), 'storage': zero(5 * n, 'f16')}, '_hy storage')


def matrices():
    f = 'gemm_shapes'
    for size, m, n, k in [('small', 300, 450, 200), ('medium', 1500, 2000, 700), ('large', 4800, 3200, 2050)]:
        launch(f, 'sgemm_96x64', size, (up(n, 64), up(m, 96)), 256, {'M': m, 'N': n, 'K': k}, {'A': f32(m * k), 'B': f32(k * n), 'C': zero(m * n)}, 'C')
    for size, m, n, k in [('small', 512, 384, 256), ('medium', 2048, 1984, 1024), ('large', 8192, 4096, 2048)]:
        launch(f, 'gemm_tf32_wmma', size, (n // 64, m // 64), (32, 4), {'m': m, 'n': n, 'k': k}, {'a': f32(m * k), 'b': f32(k * n), 'c': zero(m * n)}, 'c')
    for size, m, n, k in [('small', 512, 512, 256), ('medium', 2048, 2560, 1024), ('large', 4096, 8192, 4096)]:
        launch(f, 'gemm_s8_wmma', size, (n // 128, m // 64), (32, 8), {'m': m, 'n': n, 'k': k},
               {'a': {**s32(m * k, -8, 8), 'type': 's8'}, 'b': {**s32(n * k, -8, 8), 'type': 's8'}, 'c': zero(m * n, 's32')}, 'c')
    f = 'tiny_matrices'
    for size, n, block in [('small', 50000, 64), ('medium', 1000000, 256), ('large', 15000000, 192)]:
        launch(f, 'eigen_symmetric3', size, up(n, block), block, {'n': n}, {'tensors': f32(6 * n, -1), 'values': zero(3 * n), 'vectors': zero(9 * n)}, 'values vectors')
    for size, batch in [('small', 1000), ('medium', 30000), ('large', 200001)]:
        launch(f, 'potrf_warp32', size, up(batch, 4), (32, 4), {'batch': batch}, {'matrices': f32(1024 * batch), 'info': zero(batch, 's32')}, 'matrices info')
    f = 'krylov'
    for size, pairs, blocks, block in [('small', 150000, 132, 256), ('medium', 2000000, 264, 512), ('large', 30000000, 528, 512)]:
        launch(f, 'cg_fused_update', size, blocks, block, {'pairs': pairs},
               {'x': f64(2 * pairs), 'r': f64(2 * pairs), 'p': f64(2 * pairs), 'q': f64(2 * pairs), 'rs': f64(1, 0.5), 'pq': f64(1, 0.5), 'rs_new': zero(1, 'f64')}, 'x r rs_new')
    for size, rows, width in [('small', 30000, 12), ('medium', 400000, 20), ('large', 3000000, 27)]:
        slices = up(rows, 32)
        entries = 32 * (slices * width + 64)
        launch(f, 'sell_product', size, up(rows, 256), 256, {'rows': rows},
               {'slices': ramp(slices + 1, width, 9), 'columns': s32(entries, 0, rows), 'values': f64(entries), 'b': f64(rows), 'c': zero(rows, 'f64')}, 'c',
               depends='how wide slices are, and which columns rows have')


def meshes():
    f = 'mesh_sweeps'
    for size, x, y, block in [('small', 600, 500, (32, 8)), ('medium', 3000, 2500, (128, 1)), ('large', 10000, 8000, (16, 16))]:
        launch(f, 'biharmonic13', size, (up(y - 4, block[0]), up(x - 4, block[1])), block, {'x_size': x, 'y_size': y, 'r0': 0.2, 'r1': 0.01, 'dt2': 0.1},
               {'u_t0': f32(x * y), 'u_t1': f32(x * y), 'u_t2': zero(x * y), 'damp': f32(x * y, 0, 0.1)}, 'u_t2')
    for size, nx, ny, nz in [('small', 130, 100, 40), ('medium', 300, 300, 100), ('large', 700, 500, 150)]:
        n = nx * ny * nz
        launch(f, 'line_smoother', size, (up(nx - 2, 32), up(ny - 2, 4)), (32, 4), {'nx': nx, 'ny': ny, 'nz': nz, 'h2': 0.01},
               {'u': f64(n), 'f': f64(n), 'gamma': f64(nz, 0.1, 0.3), 'beta': f64(nz, 0.1, 0.3), 'work': zero(n, 'f64')}, 'u work')
    f = 'boltzmann'
    for size, nx, ny, nz, block in [('small', 64, 48, 40, 64), ('medium', 160, 128, 100, 64), ('large', 300, 250, 180, 128)]:
        n = nx * ny * nz
        launch(f, 'd3q19_bgk', size, (up(nx, block), ny, nz), block, {'nx': nx, 'ny': ny, 'nz': nz, 'omega': 1.2},
               {'f': f32(19 * n, 0.04, 0.06), 'f_new': zero(19 * n), 'solid': {**u8(n), 'high': 16}}, 'f_new', depends='which cells are walls')
    for size, w, h, block in [('small', 256, 200, (32, 4)), ('medium', 1500, 1000, (32, 16)), ('large', 4096, 2500, (64, 4))]:
        launch(f, 'd2q9_push', size, (up(w, block[0]), up(h, block[1])), block, {'width': w, 'height': h, 'tau': 0.8, 'gravity': 0.0001}, {'from': f64(9 * w * h, 0.1, 0.12), 'to': zero(9 * w * h, 'f64')}, 'to')
    f = 'gas'
    for size, nx, ny in [('small', 400, 300), ('medium', 2000, 1500), ('large', 7000, 5000)]:
        launch(f, 'euler_rusanov', size, (up(nx, 32), up(ny, 8)), (32, 8), {'nx': nx, 'ny': ny, 'dt_dx': 0.1, 'dt_dy': 0.1}, {'state': f32(4 * nx * ny, 0.5, 1), 'next': zero(4 * nx * ny)}, 'next')
    for size, nx, ny, block in [('small', 512, 512, (16, 16)), ('medium', 2000, 1600, (32, 8)), ('large', 9000, 6000, (32, 32))]:
        launch(f, 'semi_lagrangian', size, (up(nx, block[0]), up(ny, block[1])), block, {'nx': nx, 'ny': ny, 'dt': 1.0},
               {'u': f32(nx * ny, -4, 4), 'v': f32(nx * ny, -4, 4), 'smoke': f32(nx * ny), 'smoke_next': zero(nx * ny)}, 'smoke_next', depends='where things came from')
    f = 'voxels'
    for size, cols, rows, side, block in [('small', 320, 240, 128, (32, 8)), ('medium', 640, 480, 256, (16, 16)), ('large', 1280, 960, 640, (32, 8))]:
        launch(f, 'tsdf_integrate', size, (up(side, block[0]), up(side, block[1])), block,
               {'cols': cols, 'rows': rows, 'vx': side, 'vy': side, 'vz': side, 'cell': 3.0 / side, 'fx': 0.9 * cols, 'fy': 0.9 * cols, 'cx': 0.5 * cols, 'cy': 0.5 * rows, 'trunc': 0.3},
               {'depth': f32(cols * rows, 0.5, 3.5), 'volume': zero(2 * side ** 3, 's16')}, 'volume', depends='how far surfaces are')


def samples():
    f = 'atoms'
    for size, n, block in [('small', 60000, 128), ('medium', 1500000, 256), ('large', 20000001, 512)]:
        launch(f, 'langevin_step', size, up(n, block), block, {'n': n, 'step': 7, 'dt': 0.001, 'friction': 1.0, 'temperature': 0.5},
               {'position': f32(4 * n), 'velocity': f32(4 * n), 'force': f32(4 * n, -1)}, 'position velocity')
    for size, n in [('small', 2000), ('medium', 12000), ('large', 40000)]:
        launch(f, 'biot_savart', size, up(n, 128), 128, {'n': n}, {'vortices': f64(8 * n, 0.1), 'u': zero(n, 'f64'), 'v': zero(n, 'f64'), 'w': zero(n, 'f64')}, 'u v w')
    f = 'options_by_paths'
    for size, paths, steps, blocks in [('small', 20000, 16, 79), ('medium', 270336, 64, 264), ('large', 2500000, 128, 1056)]:
        launch(f, 'heston_paths', size, blocks, 256, {'paths': paths, 'steps': steps, 's0': 100.0, 'v0': 0.04, 'strike': 100.0, 'mu': 0.02, 'kappa': 1.5, 'theta': 0.04, 'sigma': 0.3, 'rho': -0.6, 'dt': 0.01},
               {'sum': zero(1), 'square': zero(1)}, 'sum square')
    f = 'pictures'
    for size, w, h, r, block in [('small', 640, 480, 4, 64), ('medium', 4000, 3000, 10, 32), ('large', 20000, 8000, 14, 64)]:
        launch(f, 'box_columns', size, up(w, block), block, {'w': w, 'h': h, 'r': r}, {'id': f32(w * h), 'od': zero(w * h)}, 'od')
    for size, w, h in [('small', 320, 240), ('medium', 1920, 1080), ('large', 6000, 4000)]:
        launch(f, 'nlm_denoise', size, (up(w, 16), up(h, 16)), (16, 16), {'width': w, 'height': h, 'noise': 2.0, 'lerp': 0.2}, {'dst': zero(w * h), 'src': f32(w * h)}, 'dst')
    for size, planes, h, w, out_h, out_w in [('small', 3, 224, 224, 300, 320), ('medium', 12, 600, 800, 1080, 1440), ('large', 48, 1500, 2000, 1024, 1360)]:
        launch(f, 'bicubic_resize', size, up(out_h * out_w, 256), 256, {'num_elements': out_h * out_w, 'planes': planes, 'in_h': h, 'in_w': w, 'out_w': out_w, 'scale_h': h / out_h, 'scale_w': w / out_w},
               {'in': f32(planes * h * w), 'out': zero(planes * out_h * out_w)}, 'out')
    f = 'sequences'
    for size, n in [('small', 500000), ('medium', 10000000), ('large', 150000000)]:
        launch(f, 'minimizers', size, up(n, 256), 256, {'length': n}, {'bases': u8(n), 'hashes': zero(n, 'u32'), 'offsets': zero(n, 'u8')}, 'hashes offsets')
    for size, pairs, n, length in [('small', 200, 64, 100), ('medium', 3000, 256, 256), ('large', 10000, 512, 600)]:
        launch(f, 'dtw_wavefront', size, pairs, n, {'length': length}, {'query': f32(n), 'subjects': f32(pairs * length), 'costs': zero(pairs)}, 'costs', shared=4 * (3 * (n + 1) + length))
    f = 'digests'
    for size, count, blocks, block in [('small', 60000, 1, 128), ('medium', 1000000, 2, 256), ('large', 3000000, 5, 128)]:
        launch(f, 'blake2s_messages', size, up(count, block), block, {'count': count, 'blocks': blocks}, {'messages': u32(16 * blocks * count), 'digests': zero(8 * count, 'u32')}, 'digests')
    for size, rows, columns in [('small', 100, 60), ('medium', 500, 400), ('large', 2000, 1500)]:
        launch(f, 'transpose_bits', size, (up(columns, 8), rows), (32, 8), {'rows32': rows, 'columns32': columns}, {'in': u32(32 * rows * columns), 'out': zero(32 * rows * columns, 'u32')}, 'out')
    f = 'device_primitives'
    for size, quads in [('small', 250000), ('medium', 5000001), ('large', 60000000)]:
        blocks = up(quads, 256)
        launch(f, 'segmented_scan', size, blocks, 256, {'quads': quads}, {'in': f32(4 * quads), 'heads': u8(4 * quads), 'out': zero(4 * quads), 'carry': zero(blocks), 'carry_flag': zero(blocks, 's32')},
               'out carry carry_flag')
    for size, quads in [('small', 300000), ('medium', 8000000), ('large', 100000001)]:
        blocks = up(quads, 1024)
        launch(f, 'argmin_items', size, blocks, 256, {'num_quads': quads}, {'d_in': f32(4 * quads), 'd_value': zero(blocks), 'd_key': zero(blocks, 's32')}, 'd_value d_key')
    for size, n, levels, blocks, block in [('small', 500000, 33, 132, 256), ('medium', 12000000, 101, 528, 256), ('large', 150000000, 257, 528, 512)]:
        launch(f, 'histogram_range', size, blocks, block, {'n': n, 'num_levels': levels, 'unit': 1.0 / (16 * levels)}, {'samples': f32(n), 'd_levels': ramp(levels, 16, 5), 'histogram': zero(levels, 's32')}, 'histogram',
               shared=8 * levels, depends='between which levels samples are')
    f = 'graph_layers'
    for size, n, degree in [('small', 10000, 12), ('medium', 200000, 20), ('large', 2000000, 25)]:
        launch(f, 'gather_by_attention', size, up(n, 8), 256, {'vertices': n, 'slope': 0.2},
               {'indptr': ramp(n + 1, degree, 11), 'indices': s32(n * degree + 64, 0, n), 'el': f32(n, -1), 'er': f32(n, -1), 'features': f16(64 * n, -1), 'out': zero(64 * n)}, 'out',
               depends='how many neighbours vertices have, and which')
    f = 'learners'
    for size, samples, features in [('small', 1000, 200), ('medium', 8000, 500), ('large', 20000, 1000)]:
        tiles = up(features, 32)
        launch(f, 'covariance_tiles', size, (tiles, tiles), (32, 8), {'samples': samples, 'features': features}, {'data': f32(samples * features), 'mean': f32(features), 'cov': zero(features * features)}, 'cov')
    for size, samples, trees, depth, block in [('small', 20000, 30, 6, 128), ('medium', 300000, 100, 8, 256), ('large', 2000000, 200, 6, 128)]:
        launch(f, 'forest_votes', size, up(samples, block), block, {'samples': samples, 'features': 32, 'trees': trees, 'depth': depth, 'step': 0.03125},
               {'nodes': s32(2 * trees * ((1 << depth) - 1), 0, 32), 'leaves': f32(trees << depth, -1), 'rows': f32(32 * samples), 'score': zero(samples)}, 'score', depends='which way samples go')
    f = 'transform_thirds'
    for size, n, done in [('small', 3 ** 11, 9), ('medium', 3 ** 14, 729), ('large', 3 ** 16, 3 ** 12)]:
        launch(f, 'fft_radix3', size, up(n // 3, 192), 192, {'n': n, 'ns': done}, {'in': f64(2 * n), 'out': zero(2 * n, 'f64')}, 'out')
