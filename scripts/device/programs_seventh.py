"""Launches of data/h200/programs-seventh: what a stranger would keep back to judge such a tool (write-programs)."""
from programs_launches import bf16, f16, f32, f64, launch, ramp, s32, u8, u32, u64, up, zero


def s16(count, low, high):
    return {**s32(count, low, high), 'type': 's16'}


def textbook():
    f = 'reduction_steps'
    for size, n, block in [('small', 1 << 20, 128), ('medium', 20000000, 256), ('large', 200000000, 512)]:
        launch(f, 'sum_interleaved', size, up(n, block), block, {'n': n}, {'g_in': s32(n), 'g_out': zero(up(n, block), 's32')}, 'g_out', shared=4 * block)
    for size, n, blocks in [('small', 500000, 132), ('medium', 20000000, 528), ('large', 300000000, 1056)]:
        launch(f, 'norm_in_one_launch', size, blocks, 256, {'n': n}, {'x': f64(n), 'partial': zero(blocks, 'f64'), 'result': zero(1, 'f64')}, 'partial result')
    f = 'scans'
    for size, blocks in [('small', 1000), ('medium', 16384), ('large', 262144)]:
        n = 1024 * blocks
        launch(f, 'blelloch_exclusive', size, blocks, 512, {}, {'out': zero(n), 'in': f32(n), 'block_totals': zero(blocks)}, 'out block_totals')
    for size, tiles in [('small', 640), ('medium', 8192), ('large', 131072)]:
        launch(f, 'scan_lookback', size, tiles, 256, {}, {'in': s32(2048 * tiles), 'out': zero(2048 * tiles, 's32'), 'states': zero(tiles, 'u64'), 'ticket': zero(1, 'u32')}, 'out',
               depends='how long tiles wait for those before')
    f = 'ordering'
    for size, tiles in [('small', 1000), ('medium', 20000), ('large', 200000)]:
        n = 512 * tiles
        launch(f, 'merge_path', size, tiles, 128, {'na': n, 'nb': n}, {'a': ramp(n, 7, 5, 'u32'), 'b': ramp(n, 7, 11, 'u32'), 'out': zero(2 * n, 'u32')}, 'out',
               depends='where diagonals cross')
    for size, blocks, shift in [('small', 1000, 0), ('medium', 16000, 4), ('large', 160000, 8)]:
        n = 1024 * blocks
        launch(f, 'scatter_by_digit', size, blocks, 256, {'shift': shift, 'n': n}, {'keys': u32(n), 'sorted': zero(n + 1024, 'u32'), 'offsets': ramp(16 * blocks, 64, 1, 'u32')}, 'sorted',
               depends='which digits keys have')
    f = 'sparse_entries'
    for size, rows, per_row, bits, blocks in [('small', 20000, 16, 14, 264), ('medium', 500000, 24, 19, 1056), ('large', 5000000, 32, 22, 2112)]:
        nnz = rows * per_row
        launch(f, 'coo_runs', size, blocks, 256, {'nnz': nnz, 'shift': 32 - bits},
               {'keys': ramp(nnz, (1 << 32) // per_row, (1 << 32) // per_row // 2, 'u64'), 'val': f32(nnz), 'x': f32(1 << bits), 'y': zero(rows + 1)}, 'y',
               depends='which rows and columns entries have')
    for size, rows, per_row in [('small', 10000, 8), ('medium', 200000, 16), ('large', 1000000, 24)]:
        launch(f, 'sddmm_rows', size, up(rows, 8), (32, 8), {'rows': rows},
               {'rowptr': ramp(rows + 1, per_row, 5), 'colidx': s32(rows * per_row + 8, 0, rows), 'u': f64(64 * rows), 'v': f64(64 * rows), 'out': zero(rows * per_row + 8, 'f64')}, 'out',
               depends='how many entries rows have, and in which columns')
    f = 'graph_steps'
    for size, n, degree, edges in [('small', 20000, 16, 100000), ('medium', 500000, 24, 4000000), ('large', 4000000, 32, 40000000)]:
        launch(f, 'count_triangles', size, up(edges, 256), 256, {'edges': edges},
               {'from': u32(edges) | {'high': n}, 'to': u32(edges) | {'high': n}, 'offsets': ramp(n + 1, degree, 9, 'u32'), 'neighbours': u32(n * degree + 16) | {'high': n}, 'total': zero(1, 'u64')},
               'total', depends='how lists of neighbours meet')
    for size, n, degree, front, bits in [('small', 50000, 20, 10000, 18), ('medium', 1000000, 40, 200000, 22), ('large', 10000000, 30, 3000000, 26)]:
        launch(f, 'push_frontier', size, up(32 * front, 128), 128, {'frontier_size': front, 'now': 4, 'capacity_mask': (1 << bits) - 1},
               {'frontier': s32(front, 0, n), 'offsets': ramp(n + 1, degree, 13), 'edges': s32(n * degree + 16, 0, n), 'depth': s32(n, 0, 10), 'next': zero(1 << bits, 's32'),
                'next_size': zero(1, 'u32')}, 'next', depends='how many neighbours vertices have, and which were reached')


def layers():
    f = 'dense_blocks'
    for size, m, n, k in [('small', 512, 640, 512), ('medium', 2048, 1536, 1024), ('large', 4096, 4096, 4096)]:
        launch(f, 'sgemm_two_buffers', size, (n // 128, m // 128), (16, 16), {'M': m, 'N': n, 'K': k}, {'A': f32(m * k), 'B': f32(k * n), 'C': zero(m * n)}, 'C')
    for size, m, n, k in [('small', 300, 500, 256), ('medium', 1500, 1200, 1000), ('large', 4000, 3000, 2500)]:
        launch(f, 'dgemm_guarded', size, (up(m, 64), up(n, 64)), (16, 16), {'m': m, 'n': n, 'k': k, 'alpha': 1.5, 'lda': m, 'ldb': k, 'beta': 0.5, 'ldc': m},
               {'a': f64(m * k), 'b': f64(k * n), 'c': f64(m * n)}, 'c')
    for size, m, n, k in [('small', 512, 1024, 768), ('medium', 2048, 2048, 2048), ('large', 8192, 6144, 4096)]:
        launch(f, 'hgemm_mma_stages', size, (n // 128, m // 128), 256, {'m': m, 'n': n, 'k': k}, {'a': f16(m * k), 'b': f16(n * k), 'c': zero(m * n, 'f16')}, 'c', shared=3 * 2 * 128 * 40 * 2)
    f = 'convolution_layers'
    for size, images, h, w, block in [('small', 2, 128, 160, (32, 4)), ('medium', 8, 256, 300, (32, 8)), ('large', 32, 512, 512, (64, 4))]:
        launch(f, 'conv5_constant', size, (up(w - 4, block[0]), up(h - 4, block[1]), 4 * images), block, {'H': h, 'W': w},
               {'input': f32(images * 8 * h * w), 'output': zero(images * 16 * (h - 4) * (w - 4))}, 'output')
    for size, images, h, w, cin, cout, block in [('small', 1, 16, 16, 64, 32, 32), ('medium', 4, 32, 40, 128, 64, 64), ('large', 16, 64, 64, 128, 128, 128)]:
        launch(f, 'deconv_by_two', size, (2 * w, 2 * h, images), block, {'in_h': h, 'in_w': w, 'in_c': cin, 'out_c': cout},
               {'in': f32(images * h * w * cin), 'filter': f32(16 * cin * cout, -1), 'bias': f32(cout), 'out': zero(images * 4 * h * w * cout)}, 'out', shared=16 * cin)
    f = 'normalisations'
    for size, images, pixels, channels in [('small', 4, 1024, 320), ('medium', 16, 4096, 640), ('large', 64, 16384, 512)]:
        n = images * pixels * channels
        launch(f, 'group_norm_silu', size, (channels // 16, images), 512, {'pixels': pixels, 'channels': channels, 'eps': 1e-5},
               {'x': bf16(n, -1), 'gamma': f32(channels), 'beta': f32(channels), 'y': zero(n, 'bf16')}, 'y')
    for size, rows, cols, block in [('small', 1024, 4096, 128), ('medium', 8192, 8192, 256), ('large', 65536, 14336, 512)]:
        launch(f, 'rows_to_fp8', size, rows, block, {'packs': cols // 8}, {'in': bf16(rows * cols, -2, 2), 'out': zero(rows * cols, 'u8'), 'scales': zero(rows)}, 'out scales')
    f = 'attention_tiles'
    for size, batch, heads, seq in [('small', 1, 8, 256), ('medium', 2, 12, 1024), ('large', 8, 16, 2048)]:
        n = batch * heads * seq * 64
        launch(f, 'flash_rows', size, (seq // 32, heads, batch), (32, 8), {'seq': seq, 'scale': 0.125}, {'Q': f32(n, -1), 'K': f32(n, -1), 'V': f32(n, -1), 'O': zero(n)}, 'O')
    for size, tokens in [('small', 8192), ('medium', 262144), ('large', 4000000)]:
        launch(f, 'gate_two_of_many', size, up(tokens, 16), 256, {'tokens': tokens},
               {'logits': f32(64 * tokens, -3, 3), 'chosen': zero(2 * tokens, 's32'), 'gates': zero(2 * tokens), 'load': zero(64, 'u32')}, 'chosen gates load', depends='which experts tokens choose')


def science():
    f = 'clouds_of_points'
    for size, n, dims, k, blocks in [('small', 100000, 4, 16, 264), ('medium', 2000000, 8, 20, 528), ('large', 20000000, 8, 64, 792)]:
        launch(f, 'accumulate_groups', size, blocks, 256, {'n': n, 'dims': dims, 'k': k},
               {'points': f32(n * dims), 'member': s32(n, 0, k), 'sums': zero(k * dims), 'sizes': zero(k, 's32')}, 'sums sizes', shared=4 * (k * dims + k), depends='which groups points are in')
    for size, n, count in [('small', 60000, 8), ('medium', 1000000, 16), ('large', 10000000, 24)]:
        launch(f, 'mixture_shares', size, up(n, 192), 192, {'n': n, 'count': count},
               {'points': f32(8 * n), 'normals': f32(17 * count), 'shares': zero(n * count), 'likelihood': zero(n)}, 'shares likelihood')
    f = 'plasma'
    for size, n, grid in [('small', 200000, (64, 64, 32)), ('medium', 4000000, (128, 128, 128)), ('large', 40000000, (256, 256, 200))]:
        launch(f, 'deposit_charge', size, up(n, 128), 128, {'np': n, **dict(zip(('nx', 'ny', 'nz'), grid))},
               {'x': f32(n), 'y': f32(n), 'z': f32(n), 'q': f32(n), 'rho': zero(grid[0] * grid[1] * grid[2])}, 'rho', depends='which cells particles are in')
    for size, n, cells in [('small', 100000, 1000), ('medium', 2000000, 16384), ('large', 30000000, 1000000)]:
        launch(f, 'boris_push', size, up(n, 128), 128, {'count': n, 'cells': cells, 'half_charge': 0.1, 'dt': 0.01},
               {'particles': f64(8 * n), 'electric': f64(4 * cells, -1), 'magnetic': f64(4 * cells, -1)}, 'particles', depends='which cells particles are in')
    f = 'elements'
    for size, elements in [('small', 1000), ('medium', 20000), ('large', 200000)]:
        launch(f, 'spectral_laplacian', size, elements, (8, 8), {}, {'u': f64(512 * elements), 'w': zero(512 * elements, 'f64'), 'geometry': f64(3072 * elements), 'derivative': f64(64, -1)}, 'w')
    for size, nx, ny, block in [('small', 512, 400, (16, 16)), ('medium', 2000, 2000, (16, 16)), ('large', 8192, 8192, (32, 8))]:
        launch(f, 'part_phases', size, (up(nx, block[0]), up(ny, block[1])), block, {'nx': nx, 'ny': ny, 'kappa': 0.5, 'dt': 0.01}, {'c': f32(nx * ny, -1), 'c_new': zero(nx * ny)}, 'c_new')
    f = 'smoothing'
    for size, nx, ny, nz in [('small', 192, 128, 32), ('medium', 400, 300, 200), ('large', 800, 640, 400)]:
        launch(f, 'stencil27_layers', size, (up(nx, 16), up(ny, 8)), (16, 8), {'nx': nx, 'ny': ny, 'nz': nz, 'w0': 0.5, 'w1': 0.05, 'w2': 0.01, 'w3': 0.005},
               {'in': f64(nx * ny * nz), 'out': zero(nx * ny * nz, 'f64')}, 'out')
    for size, w, h, iterations in [('small', 640, 480, 2), ('medium', 2048, 2048, 4), ('large', 8000, 6000, 5)]:
        inner = 32 - 2 * iterations
        launch(f, 'perona_malik', size, (up(w, inner), up(h, inner)), (32, 8), {'width': w, 'height': h, 'lambda': 0.2, 'kappa': 0.3, 'iterations': iterations},
               {'src': f32(w * h), 'dst': zero(w * h)}, 'dst')
    f = 'air_columns'
    for size, systems, n in [('small', 500, 128), ('medium', 8192, 256), ('large', 65536, 512)]:
        launch(f, 'pcr_rows', size, systems, n, {'n': n},
               {'a': f32(systems * n), 'b': f32(systems * n, 3, 4), 'c': f32(systems * n), 'd': f32(systems * n), 'x': zero(systems * n)}, 'x', shared=16 * n)
    for size, columns, layers, bands in [('small', 4096, 32, 4), ('medium', 30000, 48, 16), ('large', 200000, 63, 14)]:
        launch(f, 'two_streams', size, (up(columns, 128), bands), 128, {'columns': columns, 'layers': layers},
               {'temperature': f32((layers + 1) * columns, 200, 300), 'depth': f32(bands * layers * columns), 'waves': f32(bands, 100, 2000),
                'up': zero(bands * (layers + 1) * columns), 'down': zero(bands * (layers + 1) * columns)}, 'up down')


def signals_and_words():
    f = 'wavelets_and_lags'
    for size, w, h in [('small', 1000, 512), ('medium', 4096, 4096), ('large', 16000, 12800)]:
        launch(f, 'lift_columns', size, (up(w, 32), h // 64), (32, 8), {'width': w, 'height': h}, {'in': f32(w * h), 'low': zero(w * h // 2), 'high': zero(w * h // 2)}, 'low high')
    for size, signals, length, lags in [('small', 16, 4096, 128), ('medium', 64, 32768, 256), ('large', 256, 131072, 320)]:
        launch(f, 'autocorrelate', size, (up(lags, 8), signals), 256, {'length': length, 'lag_count': lags}, {'signals': s16(signals * length, -20000, 20000), 'lags': zero(signals * lags)}, 'lags')
    f = 'camera'
    for size, w, h in [('small', 1280, 720), ('medium', 3840, 2160), ('large', 16000, 12000)]:
        launch(f, 'rgb_to_nv12', size, (up(w, 64), up(h, 16)), (32, 8), {'width': w, 'height': h, 'pitch': w}, {'rgb': u8(3 * w * h), 'nv12': zero(w * h * 3 // 2, 'u8')}, 'nv12')
    for size, w, h, block in [('small', 1000, 700, (16, 16)), ('medium', 4000, 3000, (32, 8)), ('large', 12000, 9000, (32, 16))]:
        launch(f, 'suppress_non_maxima', size, (up(w, block[0]), up(h, block[1])), block, {'w': w, 'h': h, 'low': 0.3, 'high': 0.8},
               {'gx': f32(w * h, -1), 'gy': f32(w * h, -1), 'edges': zero(w * h, 'u8')}, 'edges', depends='where the picture changes, and which way')
    f = 'stereo'
    for size, w, h in [('small', 640, 480), ('medium', 2048, 1536), ('large', 8000, 6000)]:
        launch(f, 'census_words', size, (up(w, 32), up(h, 8)), (32, 8), {'w': w, 'h': h}, {'img': u8(w * h), 'census': zero(w * h, 'u64')}, 'census')
        launch(f, 'hamming_costs', size, (up(w, 128), h), 128, {'width': w}, {'left': u64(w * h), 'right': u64(w * h), 'cost': zero(64 * w * h, 'u8')}, 'cost')
    f = 'big_numbers'
    for size, count, block in [('small', 40000, 64), ('medium', 1000000, 128), ('large', 8000000, 256)]:
        launch(f, 'keccak_states', size, up(count, block), block, {'count': count}, {'states': u64(25 * count)}, 'states')
    for size, n, exponent in [('small', 50000, 8), ('medium', 500000, 32), ('large', 2000000, 100)]:
        launch(f, 'montgomery_powers', size, up(n, 256), 256, {'n': n, 'inverse': 2863311531, 'exponent': exponent}, {'in': u32(8 * n), 'modulus': u32(8), 'out': zero(8 * n, 'u32')}, 'out')
    f = 'records'
    for size, positions, bits, blocks in [('small', 200000, 19, 264), ('medium', 5000000, 24, 1056), ('large', 60000000, 27, 2112)]:
        launch(f, 'count_words', size, blocks, 256, {'mask': (1 << bits) - 1, 'positions': positions},
               {'packed': u8(positions // 4 + 8), 'keys': zero(1 << bits, 'u64'), 'counts': zero(1 << bits, 'u32')}, 'counts', depends='where words lie in the table')
    for size, count, block in [('small', 20000, 64), ('medium', 300000, 128), ('large', 3000000, 256)]:
        launch(f, 'reed_solomon', size, up(count, block), block, {'count': count},
               {'data': u8(223 * count), 'logs': u8(256), 'powers': u8(512), 'generator': u8(16), 'parity': zero(16 * count, 'u8')}, 'parity', depends='which entries bytes ask for')
