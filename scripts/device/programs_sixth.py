"""Launches of data/h100/programs-sixth: what people would bring to such a tool (write-programs)."""
from programs_launches import f16, f32, f64, launch, s32, s64, u8, u32, up, zero


def arrays():
    f = 'lattice_streams'
    for size, nx, ny in [('small', 1024, 512), ('medium', 4096, 2048), ('large', 12000, 6000)]:
        launch(f, 'pull_two_relaxations', size, (up(nx, 256), ny), 256, {'nx': nx, 'ny': ny, 'even': 1.2, 'odd': 0.9},
               {'from': f32(9 * nx * ny, 0.1, 0.2), 'to': zero(9 * nx * ny)}, 'to')
    for size, nx, ny, block in [('small', 512, 300, (32, 4)), ('medium', 2048, 2000, (32, 8)), ('large', 6000, 5000, (64, 4))]:
        launch(f, 'push_between_walls', size, (up(nx, block[0]), up(ny, block[1])), block, {'nx': nx, 'ny': ny, 'omega': 1.6, 'force': 0.0001},
               {'from': f64(9 * nx * ny, 0.1, 0.2), 'to': zero(9 * nx * ny, 'f64')}, 'to')
    f = 'small_factors'
    for size, count, block in [('small', 4000, 64), ('medium', 100000, 128), ('large', 1000000, 256)]:
        launch(f, 'qr_by_warps', size, up(32 * count, block), block, {'count': count},
               {'a': f32(384 * count, -1), 'r': zero(384 * count), 'taus': zero(12 * count)}, 'r taus')
    for size, count in [('small', 50000), ('medium', 1000000), ('large', 10000000)]:
        launch(f, 'cholesky_interleaved', size, up(count, 64), 64, {'count': count, 'shift': 6.0}, {'a': f64(21 * count), 'b': f64(6 * count), 'x': zero(6 * count, 'f64')}, 'x')
    f = 'row_statistics'
    for size, rows, cols, warps in [('small', 4096, 768, 4), ('medium', 32768, 1024, 8), ('large', 400000, 2048, 8)]:
        launch(f, 'layernorm_welford', size, up(rows, warps), (32, warps), {'rows': rows, 'pairs': cols // 2, 'eps': 1e-5},
               {'x': f16(rows * cols, -1), 'gamma': f16(cols), 'beta': f16(cols), 'y': zero(rows * cols, 'f16')}, 'y')
    for size, rows, cols in [('small', 264, 8192), ('medium', 2048, 32000), ('large', 8192, 50304)]:
        launch(f, 'log_softmax_online', size, rows, 256, {'quads': cols // 4}, {'in': f32(rows * cols, -4, 4), 'out': zero(rows * cols)}, 'out')
    f = 'fast_transforms'
    for size, count in [('small', 16000), ('medium', 200000), ('large', 1500000)]:
        launch(f, 'fft256', size, count // 4, (64, 4), {}, {'in': f32(512 * count, -1), 'out': zero(512 * count)}, 'out')
    for size, images, channels, side, block in [('small', 8, 64, 56, 128), ('medium', 16, 128, 112, 256), ('large', 64, 128, 160, 128)]:
        tiles = side // 4
        n = images * tiles * tiles
        launch(f, 'winograd_input', size, (up(n, block), channels), block,
               {'channels': channels, 'height': side, 'width': side, 'tiles_x': tiles, 'tiles_y': tiles, 'images': images},
               {'in': f32(images * channels * side * side, -1), 'out': zero(36 * n * channels)}, 'out')
    f = 'block_collectives'
    for size, bits, phase in [('small', 21, 12), ('medium', 25, 16), ('large', 29, 20)]:
        launch(f, 'bitonic_merge_tail', size, 1 << bits - 10, 512, {'phase': 1 << phase}, {'keys': f32(1 << bits)}, 'keys')
    for size, rows, cols in [('small', 528, 8192), ('medium', 4000, 16384), ('large', 20000, 32768)]:
        launch(f, 'scan_rows', size, rows, 256, {'quads': cols // 4}, {'in': s32(rows * cols), 'out': zero(rows * cols, 's32')}, 'out')
    f = 'relayout'
    for size, batch, rows, cols in [('small', 8, 500, 400), ('medium', 16, 1500, 2000), ('large', 64, 2048, 1500)]:
        launch(f, 'swap_last_axes', size, (up(cols, 32), up(rows, 32), batch), (32, 8), {'rows': rows, 'cols': cols},
               {'in': f64(batch * rows * cols), 'out': zero(batch * rows * cols, 'f64')}, 'out')
    for size, images, block, height, width, depth, blocks in [('small', 1, 2, 128, 128, 32, 1024), ('medium', 4, 2, 540, 960, 12, 2112), ('large', 16, 4, 400, 400, 12, 4224)]:
        total = images * block * block * height * width * depth
        launch(f, 'depth_to_space', size, blocks, 256, {'block': block, 'height': height, 'width': width, 'depth': depth, 'total': total},
               {'in': f32(total), 'out': zero(total)}, 'out')
    f = 'picture_filters'
    for size, w, h, radius, block in [('small', 640, 480, 4, (16, 16)), ('medium', 1920, 1080, 5, (16, 16)), ('large', 6000, 4000, 6, (32, 8))]:
        launch(f, 'bilateral_tile', size, (up(w, block[0]), up(h, block[1])), block, {'width': w, 'height': h, 'radius': radius, 'by_place': 0.05, 'by_value': 10.0},
               {'in': f32(w * h), 'out': zero(w * h)}, 'out', shared=4 * (block[0] + 2 * radius) * (block[1] + 2 * radius))
    for size, w, h, block in [('small', 2048, 1024, (32, 4)), ('medium', 8192, 4320, (32, 8)), ('large', 32000, 20000, (64, 4))]:
        launch(f, 'median_bytes', size, (up(w // 4, block[0]), up(h, block[1])), block, {'words': w // 4, 'height': h}, {'in': u8(w * h), 'out': zero(w * h, 'u8')}, 'out')


def physics():
    f = 'bodies_and_paths'
    for size, n in [('small', 640), ('medium', 6000), ('large', 30000)]:
        launch(f, 'gravity_tiles', size, up(n, 64), 64, {'n': n, 'softening': 0.01}, {'bodies': f64(4 * n), 'acceleration': zero(3 * n, 'f64')}, 'acceleration')
    for size, paths, steps in [('small', 16384, 64), ('medium', 200000, 128), ('large', 2000000, 252)]:
        launch(f, 'barrier_paths', size, up(paths, 128), 128,
               {'paths': paths, 'steps': steps, 'drift': 0.0001, 'volatility': 0.02, 'start': 100.0, 'strike': 105.0, 'barrier': 150.0},
               {'seeds': u32(4 * paths), 'values': zero(paths)}, 'values')
    f = 'staggered_waves'
    for size, n, block in [('small', (96, 96, 96), (32, 8)), ('medium', (256, 256, 256), (32, 8)), ('large', (512, 480, 400), (64, 4))]:
        cells = n[0] * n[1] * n[2]
        launch(f, 'yee_electric', size, (up(n[0], block[0]), up(n[1], block[1]), n[2]), block, dict(zip(('nx', 'ny', 'nz'), n)),
               {**{name: f32(cells, -1) for name in ('ex', 'ey', 'ez', 'hx', 'hy', 'hz')}, 'ca': f32(cells), 'cb': f32(cells)}, 'ex ey ez')
    for size, n, block in [('small', (132, 132, 40), (32, 4)), ('medium', (304, 280, 200), (32, 4)), ('large', (600, 512, 300), (64, 2))]:
        cells = n[0] * n[1] * n[2]
        launch(f, 'elastic_velocity', size, (up(n[0] - 4, block[0]), up(n[1] - 4, block[1])), block, {**dict(zip(('nx', 'ny', 'nz'), n)), 'dt_by_h': 0.001},
               {name: f32(cells, -1) for name in ('vx', 'vy', 'vz', 'sxx', 'syy', 'szz', 'sxy', 'sxz', 'syz', 'buoyancy')}, 'vx vy vz')
    f = 'flows'
    for size, nx, ny, block in [('small', 1000, 600, (32, 4)), ('medium', 4000, 3000, (32, 8)), ('large', 12000, 10000, (128, 2))]:
        launch(f, 'advect_limited', size, (up(nx - 4, block[0]), up(ny - 4, block[1])), block, {'nx': nx, 'ny': ny, 'courant': 0.4},
               {'q': f32(nx * ny), 'u': f32(nx * ny, -1), 'v': f32(nx * ny, -1), 'next': zero(nx * ny)}, 'next')
    for size, w, h, block in [('small', 1024, 768, (16, 16)), ('medium', 3840, 2160, (32, 8)), ('large', 12000, 8000, (32, 16))]:
        launch(f, 'horn_schunck', size, (up(w, block[0]), up(h, block[1])), block, {'width': w, 'height': h, 'smoothness': 2.0},
               {'flow': f32(2 * w * h, -1), 'ix': f32(w * h, -1), 'iy': f32(w * h, -1), 'it': f32(w * h, -1), 'next': zero(2 * w * h)}, 'next')
    f = 'rigid_geometry'
    for size, joints, characters, block in [('small', 120, 2000, (32, 8)), ('medium', 64, 100000, (64, 4)), ('large', 100, 500000, (32, 8))]:
        n = joints * characters
        launch(f, 'slerp_poses', size, (up(joints, block[0]), up(characters, block[1])), block, {'joints': joints, 'characters': characters},
               {'from': f32(4 * n, 0.1, 1), 'to': f32(4 * n, -0.5, 1), 'when': f32(characters), 'pose': zero(4 * n)}, 'pose')
    for size, rays, boxes in [('small', 20000, 256), ('medium', 500000, 512), ('large', 4000000, 1024)]:
        launch(f, 'nearest_box', size, up(rays, 128), 128, {'ray_count': rays, 'box_count': boxes},
               {'rays': f32(6 * rays, -1), 'boxes': f32(6 * boxes, -1), 'distance': zero(rays), 'which': zero(rays, 's32')}, 'distance which')


def integers():
    f = 'codes'
    for size, count in [('small', 100000), ('medium', 2000000), ('large', 20000000)]:
        launch(f, 'sha256_blocks', size, up(count, 192), 192, {'count': count}, {'messages': u32(16 * count), 'digests': zero(8 * count, 'u32')}, 'digests')
    for size, count, words, block in [('small', 20000, 64, 64), ('medium', 200000, 128, 128), ('large', 2000000, 192, 256)]:
        launch(f, 'crc_by_four', size, up(count, block), block, {'count': count, 'words': words},
               {'packets': u32(count * words), 'tables': u32(1024), 'sums': zero(count, 'u32')}, 'sums', depends='which entries bytes ask for')
    f = 'alignments'
    for size, pairs, length in [('small', 264, 128), ('medium', 3000, 400), ('large', 20000, 600)]:
        launch(f, 'local_alignment', size, pairs, 128, {'length': length, 'match': 5, 'mismatch': -4, 'gap': 6},
               {'queries': {**u8(128 * pairs), 'high': 4}, 'targets': {**u8(length * pairs), 'high': 4}, 'best': zero(pairs, 's32')}, 'best')
    for size, places, block in [('small', 1000000, 256), ('medium', 20000000, 256), ('large', 400000000, 512)]:
        launch(f, 'mismatches_at', size, up(places, block), block, {'places': places}, {'genome': u32(up(places, 16) + 9), 'probe': u32(8), 'differ': zero(places, 'u8')}, 'differ')
    f = 'small_integers'
    for size, m, n, k in [('small', 512, 768, 512), ('medium', 2048, 2048, 1024), ('large', 4096, 6144, 4096)]:
        launch(f, 'gemm_dp4a', size, (n // 64, m // 64), 256, {'m': m, 'n': n, 'words': k // 4}, {'a': u32(m * k // 4), 'b': u32(n * k // 4), 'c': zero(m * n, 's32')}, 'c')
    for size, records in [('small', 8192), ('medium', 200000), ('large', 4000000)]:
        launch(f, 'expand_four_bits', size, records, 32, {}, {'in': {**u8(144 * records), 'high': 60}, 'out': zero(256 * records, 'f16')}, 'out')


def models():
    f = 'gathered_rows'
    for size, rows, width, block in [('small', 8192, 16, 128), ('medium', 100000, 24, 256), ('large', 600000, 32, 256)]:
        launch(f, 'ell_by_dense', size, up(32 * rows, block), block, {'rows': rows, 'width': width},
               {'columns': s32(rows * width, 0, rows), 'values': f32(rows * width), 'dense': f32(64 * rows), 'product': zero(64 * rows)}, 'product', depends='which columns rows have')
    for size, bags, per_bag, dim, vocabulary in [('small', 4096, 10, 128, 100000), ('medium', 65536, 20, 128, 1000000), ('large', 400000, 32, 256, 2000000)]:
        launch(f, 'embedding_bag', size, up(bags, 8), (dim // 8, 8), {'bags': bags, 'per_bag': per_bag, 'packs': dim // 8},
               {'table': f16(vocabulary * dim), 'indices': s64(bags * per_bag, 0, vocabulary), 'out': zero(bags * dim, 'f16')}, 'out', depends='which rows indices ask for')
    f = 'meeting_atomics'
    for size, n, edges in [('small', 20000, 500000), ('medium', 1000000, 10000000), ('large', 10000000, 100000000)]:
        launch(f, 'relax_edges', size, up(edges, 256), 256, {'edges': edges},
               {'from': s32(edges, 0, n), 'to': s32(edges, 0, n), 'weight': s32(edges, 1, 100), 'distance': s32(n, 0, 1000), 'changed': zero(1, 's32')}, 'distance changed',
               depends='which vertices edges join, and which ways become shorter')
    for size, quads, blocks in [('small', 500000, 264), ('medium', 8000000, 528), ('large', 100000000, 1056)]:
        launch(f, 'joint_histogram', size, blocks, 256, {'quads': quads}, {'a': u8(4 * quads), 'b': u8(4 * quads), 'joint': zero(1024, 'u32')}, 'joint',
               depends='which bins lanes meet at')
    f = 'state_space'
    for size, batch, length, channels, chunk in [('small', 2, 1024, 1536, 32), ('medium', 4, 4096, 5120, 64), ('large', 16, 8192, 4096, 128)]:
        n = batch * length * channels
        launch(f, 'causal_convolution', size, (up(channels // 2, 128), up(length, chunk), batch), 128, {'length': length, 'pairs': channels // 2, 'chunk': chunk},
               {'x': f16(n, -1), 'weight': f32(4 * channels, -1), 'bias': f32(channels, -1), 'y': zero(n, 'f16')}, 'y')
    for size, batch, length, channels in [('small', 2, 256, 1536), ('medium', 4, 1024, 2048), ('large', 16, 4096, 2048)]:
        n = batch * length * channels
        launch(f, 'selective_scan', size, (channels // 128, batch), 128, {'length': length, 'channels': channels},
               {'u': f32(n, -1), 'delta': f32(n, 0.001, 0.1), 'a': f32(16 * channels, -1, -0.1), 'b': f32(16 * batch * length, -1), 'c': f32(16 * batch * length, -1),
                'y': zero(n)}, 'y')
