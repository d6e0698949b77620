"""Launches of data/h200/programs-tenth: a tenth set, half of it by other compilers than nvcc (write-programs)."""
import hashlib
import json
import os

import programs_launches as lists
from programs_launches import LAUNCHES, bf16, f16, f32, f64, ramp, s32, s64, u8, u32, up, zero


def launch(file, kernel, size, grid, block, arguments, buffers, outputs, shared=0, depends=None, parameters=None):
    """As programs_launches has it; PTX states what its parameters are called."""
    lists.launch(file if '.' in file else file + '.cu', kernel, size, grid, block, arguments, buffers, outputs, shared, depends)
    row = LAUNCHES[-1]
    row['file'] = file if '.' in file else file + '.cu'
    if parameters:
        row['parameters'] = parameters.split()


def s8(count, low=-100, high=100):
    return {**s32(count, low, high), 'type': 's8'}


def u16(count):
    return {**u32(count), 'type': 'u16', 'high': 65535}


def numba(file, kernel, size, grid, block, arrays, outputs, scalars=None, depends=None):
    """ARRAYS: name, shape, buffer.  An array of Numba's is several parameters: the object that owns it, its parent, elements, their
    bytes, the pointer, the length of each axis, and the bytes from one index of it to the next."""
    arguments, buffers, names = {}, {}, []
    for name, shape, buffer in arrays:
        item = {'8': 1, '6': 2, '2': 4, '4': 8}[buffer['type'][-1]]
        values = {'owner': 0, 'parent': 0, 'items': buffer['count'], 'item': item}
        strides, step = [], item
        for length in reversed(shape):
            strides.insert(0, step)
            step *= length
        names += [f'{name}_{key}' for key in values] + [name]
        values |= {f'length{axis}': length for axis, length in enumerate(shape)} | {f'stride{axis}': stride for axis, stride in enumerate(strides)}
        names += [f'{name}_{key}' for key in list(values)[4:]]
        arguments |= {f'{name}_{key}': value for key, value in values.items()}
        buffers[name] = buffer
    arguments |= scalars or {}
    launch(file, kernel, size, grid, block, arguments, buffers, outputs, depends=depends, parameters=' '.join(names + list(scalars or {})))


def field(name, sizes, strides):
    """What pystencils' kernels are told of a field, axes from the fastest."""
    return {f'_size_{name}_{axis}': n for axis, n in enumerate(sizes)}, {f'_stride_{name}_{axis}': n for axis, n in enumerate(strides)}


def clang():
    f = 'ocean_layers.cl'
    for size, x, y, block in [('small', 300, 200, (64, 2)), ('medium', 1500, 1200, (64, 4)), ('large', 6000, 4500, (32, 4))]:
        n = x * y
        launch(f, 'barotropic_step', size, (up(x, block[0]), up(y, block[1])), block, {'nx': x, 'ny': y, 'dt': 1.0, 'dx': 500.0, 'gravity': 9.81, 'coriolis': 1e-4, 'drag': 0.002},
               {'eta': f32(n, -1), 'u': f32(n, -1), 'v': f32(n, -1), 'depth': f32(n, 50, 100), 'eta_new': zero(n), 'u_new': zero(n), 'v_new': zero(n)}, 'eta_new u_new v_new')
    for size, columns, block in [('small', 5000, 64), ('medium', 100000, 128), ('large', 1500000, 128)]:
        launch(f, 'mix_columns', size, up(columns, block), block, {'columns': columns, 'a': 0.3}, {'t': f32(40 * columns, 5, 15), 'kappa': f32(40 * columns)}, 't')
    f = 'sound_desks.cl'
    for size, channels, frames, sections in [('small', 256, 500, 4), ('medium', 2048, 1000, 3), ('large', 16384, 2000, 4)]:
        launch(f, 'biquad_series', size, up(channels, 64), 64, {'channels': channels, 'frames': frames, 'sections': sections},
               {'in': f32(channels * frames, -1), 'coefficients': f32(20, 0, 0.2), 'out': zero(channels * frames)}, 'out')
    for size, frames in [('small', 500), ('medium', 10000), ('large', 100000)]:
        launch(f, 'mel_bands', size, frames, 80, {'stride': 8}, {'spectrum': f32(2 * 513 * frames, -1), 'range': ramp(160, 3, 2), 'weights': f32(640), 'bands': zero(80 * frames)}, 'bands', depends='how wide bands are')
    f = 'corners.cl'
    for size, w, h in [('small', 320, 240), ('medium', 1920, 1080), ('large', 8000, 6001)]:
        launch(f, 'harris_response', size, (up(w, 16), up(h, 8)), (16, 8), {'width': w, 'height': h, 'k': 0.04}, {'in': u8(w * h), 'response': zero(w * h)}, 'response')
    for size, count in [('small', 2000), ('medium', 20000), ('large', 200000)]:
        launch(f, 'vote_for_lines', size, up(count, 128), 128, {'count': count, 'angles': 180, 'distances': 1024}, {'edges': u16(2 * count), 'directions': f32(360, -1), 'votes': zero(180 * 1024, 's32')}, 'votes', depends='which counters lines have')
    for size, quads, h in [('small', 480, 500), ('medium', 2000, 2000), ('large', 8192, 4000)]:
        launch(f, 'sum_down_columns', size, up(quads, 64), 64, {'quads': quads, 'height': h}, {'picture': f32(4 * quads * h)}, 'picture')
    f = 'robots'
    for size, n in [('small', 20000), ('medium', 500000), ('large', 5000001)]:
        launch(f, 'arm_forward', size, up(n, 128), 128, {'count': n, 'gx': 0.3, 'gy': 0.2, 'gz': 0.5}, {'joints': f32(7 * n, -3, 3), 'links': f32(28, -1), 'places': zero(21 * n), 'distance': zero(n)}, 'places distance')
    for size, n, steps, block in [('small', 5000, 20, 64), ('medium', 50000, 50, 128), ('large', 500000, 100, 256)]:
        launch(f, 'double_pendulums', size, up(n, block), block, {'count': n, 'steps': steps, 'h': 0.005, 'ratio': 0.7}, {'states': f64(4 * n, -1)}, 'states')
    f = 'lights'
    for size, n, blocks in [('small', 60000, 132), ('medium', 2000000, 528), ('large', 30000000, 1056)]:
        launch(f, 'irradiance_of_probes', size, blocks, 192, {'count': n}, {'normals': f32(4 * n, -1), 'probes': f32(216), 'colour': zero(4 * n)}, 'colour')
    for size, n, block in [('small', 50000, 128), ('medium', 1000000, 256), ('large', 20000000, 256)]:
        launch(f, 'skin_vertices', size, up(n, block), block, {'count': n}, {'places': f32(3 * n), 'bones': u8(4 * n), 'weights': f32(4 * n, 0, 0.25), 'matrices': f32(12 * 256, -1), 'out': zero(3 * n)}, 'out', depends='which bones move a vertex')
    for size, w, h, block in [('small', 640, 360, (32, 4)), ('medium', 1920, 1080, (32, 8)), ('large', 7680, 8640, (128, 2))]:
        wide, narrow = up(16 * w, 512) * 512, up(4 * w, 512) * 512
        launch(f, 'film_curve', size, (up(w, block[0]), up(h, block[1])), block, {'width': w, 'height': h, 'pitch_in': wide, 'pitch_out': narrow, 'exposure': 1.5}, {'in': f32(wide * h // 4, 0, 2), 'out': zero(narrow * h // 4, 'u32')}, 'out')


def written_by_generators():
    f = 'loopy_loops.cl'
    for size, n in [('small', 256), ('medium', 2048), ('large', 12000)]:
        launch(f, 'laplacian_prefetched', size, (n // 16, n // 16), (16, 16), {'n': n}, {'u': f64((n + 2) ** 2), 'out': zero(n * n, 'f64')}, 'out')
    for size, n in [('small', 4000), ('medium', 100001), ('large', 2000000)]:
        launch(f, 'batched_small_products', size, up(n, 4), (9, 4), {'elements': n}, {'a': f32(81 * n), 'b': f32(81 * n), 'c': zero(81 * n)}, 'c')
    for size, n in [('small', 100001), ('medium', 5000003), ('large', 100000000)]:
        launch(f, 'horner_polynomials', size, up(n, 512), 128, {'n': n}, {'x': f32(n, -1), 'y': zero(n), 'c': f32(16, -1)}, 'y')
    for size, rows, columns in [('small', 2000, 300), ('medium', 20000, 1000), ('large', 100000, 2049)]:
        launch(f, 'row_norms', size, up(rows, 64), 64, {'rows': rows, 'columns': columns}, {'m': f32(rows * columns), 'norm': zero(rows)}, 'norm')
    f = 'pystencils_sweeps'
    for size, x, y, z, block in [('small', 66, 66, 66, (32, 4, 2)), ('medium', 200, 180, 150, (32, 4, 2)), ('large', 514, 514, 400, (64, 2, 2))]:
        n, told = x * y * z, {}
        fields = [field(name, (x, y, z), (1, x, x * y)) for name in ('mobility', 'phi', 'phi_new')]
        for sizes, strides in fields:
            told |= strides
        launch(f, 'phase_field', size, tuple(up(extent - 2, b) for extent, b in zip((x, y, z), block)), block, {**fields[0][0], **told, 'dt': 0.01, 'dx': 0.5, 'epsilon': 0.02},
               {'_data_mobility': f64(n), '_data_phi': f64(n), '_data_phi_new': zero(n, 'f64')}, '_data_phi_new')
    for size, x, y, z, block in [('small', 66, 60, 50, (64, 2)), ('medium', 258, 250, 200, (128, 1)), ('large', 514, 514, 320, (128, 1))]:
        n = x * y * z
        v, w = field('v', (x, y, z), (1, x, x * y, n)), field('w', (x, y, z), (1, x, x * y, n))
        launch(f, 'vector_curl', size, (up(x - 2, block[0]), up(y - 2, block[1]), z - 2), block, {**v[0], **v[1], **w[1], 'h': 0.1}, {'_data_v': f32(3 * n), '_data_w': zero(3 * n)}, '_data_w')
    numba_kernels()
    halide_kernels()


def numba_kernels():
    f = 'numba_pictures.ptx'
    for size, w, h, radius, block in [('small', 200, 150, 3, (16, 16)), ('medium', 1200, 1000, 4, (16, 16)), ('large', 4000, 3001, 5, (32, 8))]:
        numba(f, 'local_contrast', size, (up(w, block[0]), up(h, block[1])), block, [('picture', (h, w), f32(w * h)), ('out', (h, w), zero(w * h))], 'out', {'radius': radius, 'strength': 0.25})
    for size, w, h in [('small', 640, 480), ('medium', 3840, 2160), ('large', 12000, 9001)]:
        numba(f, 'dilate_bytes', size, (up(w, 16), up(h, 16)), (16, 16), [('picture', (h, w), u8(w * h)), ('out', (h, w), zero(w * h, 'u8'))], 'out')
    for size, n, blocks in [('small', 1000000, 132), ('medium', 30000000, 264), ('large', 500000000, 528)]:
        numba(f, 'luminance_counts', size, blocks, 256, [('picture', (n,), u8(n)), ('counts', (256,), zero(256, 's32'))], 'counts', depends='which counters bytes have')
    f = 'numba_series.ptx'
    for size, n, window, blocks in [('small', 100000, 20, 132), ('medium', 5000000, 50, 1056), ('large', 50000000, 30, 2112)]:
        numba(f, 'rolling_moments', size, blocks, 128, [('x', (n,), f64(n)), ('mean', (n,), zero(n, 'f64')), ('deviation', (n,), zero(n, 'f64'))], 'mean deviation', {'window': window})
    for size, times, assets in [('small', 250, 2000), ('medium', 1000, 20000), ('large', 1500, 100000)]:
        numba(f, 'garch_likelihood', size, up(assets, 64), 64, [('returns', (times, assets), f64(times * assets, -0.05, 0.05)), ('parameters', (3, assets), f64(3 * assets, 0.01, 0.3)), ('likelihood', (assets,), zero(assets, 'f64'))], 'likelihood')
    for size, n, blocks in [('small', 500000, 66), ('medium', 20000000, 264), ('large', 200000000, 1056)]:
        numba(f, 'sum_of_squares', size, blocks, 256, [('x', (n,), f64(n)), ('result', (1,), zero(1, 'f64'))], 'result')
    f = 'numba_fields.ptx'
    for size, nz, ny, nx, block in [('small', 50, 60, 70, (8, 8, 8)), ('medium', 200, 220, 240, (32, 4, 2)), ('large', 400, 500, 520, (8, 8, 8))]:
        n, shape = nx * ny * nz, (nz, ny, nx)
        numba(f, 'diffuse_3d', size, (up(nx, block[0]), up(ny, block[1]), up(nz, block[2])), block, [('u', shape, f64(n)), ('new', shape, zero(n, 'f64')), ('kappa', shape, f64(n, 0, 0.1))], 'new')
    for size, rows, others, features in [('small', 300, 200, 50), ('medium', 2000, 3001, 128), ('large', 12000, 10000, 100)]:
        numba(f, 'gaussian_kernel', size, (up(others, 16), up(rows, 16)), (16, 16), [('a', (rows, features), f32(rows * features)), ('b', (others, features), f32(others * features)), ('out', (rows, others), zero(rows * others))], 'out', {'gamma': 0.1})


def halide_kernels():
    f = 'halide_pictures.ptx'
    for size, w, h in [('small', 636, 476), ('medium', 3836, 2156), ('large', 15996, 9000)]:
        row, plane = w + 4, (w + 4) * (h + 4)
        launch(f, 'sharpen_gray_sharpened_s0_y_y_block_id_y', size, (up(w, 32), up(h, 8)), (36, 8),
               {'row': row, 'plane': plane, 'width': w, 'height': h, 'row_out': w, 'planes2': 2 * plane, 'row_plane': row + plane, 'rows2': 2 * row, 'rows3': 3 * row, 'rows4': 4 * row},
               {'picture': u8(3 * plane), 'sharpened': zero(w * h, 'u8')}, 'sharpened', shared=1152, parameters='picture sharpened row plane width height row_out planes2 row_plane rows2 rows3 rows4')
    for size, w, h in [('small', 640, 480), ('medium', 4096, 2000), ('large', 32768, 4000)]:
        launch(f, 'recursive_columns_twice_smooth_s2_x_xo_block_id_x', size, w // 64, 64, {'height': h, 'row': w, 'row_out': w}, {'plane': f32(w * h), 'smooth': f32(w * h)}, 'smooth', parameters='plane smooth height row row_out')
    f = 'halide_layers.ptx'
    for size, w, h, ci, co in [('small', 56, 40, 16, 16), ('medium', 112, 112, 64, 64), ('large', 224, 224, 128, 96)]:
        image, one = (w + 2) * (h + 2), w * h
        launch(f, 'conv_relu_relu_s0_co_t_block_id_z', size, (up(w, 32), up(h, 4), up(co, 4)), (32, 4),
               {'w12': 4 * co, 'w3': 9 * co, 'w2': 3 * co, 'w1': co, 'w1x2': 2 * co, 'channels_in': ci, 'w2x2': 6 * co, 'out2': one, 'out1': w, 'channels': co, 'height': h, 'width': w, 'image2': image, 'image1': w + 2},
               {'weights': f32(9 * ci * co, -1), 'relu': zero(one * co), 'image': f32(image * ci), 'bias': f32(co)}, 'relu',
               parameters='weights relu image bias w12 w3 w2 w1 w1x2 channels_in w2x2 out2 out1 channels height width image2 image1')
    for size, rows, columns in [('small', 1024, 200), ('medium', 20032, 600), ('large', 200000, 1000)]:
        launch(f, 'softplus_rows_spread_s1_y_yo_block_id_x', size, up(rows, 64), 64, {'columns': columns, 'row': columns, 'columns_f': float(columns), 'first': 64}, {'matrix': f32(rows * columns), 'mean': f32(rows), 'spread': f32(rows)}, 'spread',
               parameters='matrix mean spread columns row columns_f first')
        launch(f, 'softplus_rows_softened_s0_y_y_block_id_y', size, (up(columns, 64), up(rows, 4)), (64, 4), {'row': columns, 'width': columns, 'height': rows, 'row_out': columns, 'whole': columns // 64, 'first': 64},
               {'matrix': f32(rows * columns), 'mean': f32(rows), 'softened': zero(rows * columns), 'spread': f32(rows, 0.5)}, 'softened', parameters='matrix mean softened spread row width height row_out whole first')


def science():
    f = 'spectral_elements'
    for size, n in [('small', 2000), ('medium', 30000), ('large', 300000)]:
        launch(f, 'interpolate_to_gauss', size, n, (10, 10), {'elements': n}, {'u': f64(512 * n), 'basis': f64(80, -1), 'fine': zero(1000 * n, 'f64')}, 'fine')
    f = 'contractions'
    for size, na, nb, nc, nd in [('small', 60, 20, 50, 70), ('medium', 150, 100, 130, 200), ('large', 400, 300, 350, 500)]:
        launch(f, 'contract_last_index', size, (up(na, 32), up(nc, 32), nb), (16, 16), {'na': na, 'nb': nb, 'nc': nc, 'nd': nd}, {'t': f64(na * nb * nd), 'v': f64(nc * nd), 'r': zero(na * nb * nc, 'f64')}, 'r')
    for size, n in [('small', (12, 10, 14, 9, 11)), ('medium', (30, 24, 40, 20, 30)), ('large', (48, 50, 64, 40, 36))]:
        count = n[0] * n[1] * n[2] * n[3] * n[4]
        launch(f, 'permute_five', size, up(count, 256), 256, {**{f'n{i}': n[i] for i in range(5)}, 'scale': 0.5}, {'from': f32(count), 'to': zero(count)}, 'to')
    f = 'particle_mesh'
    for size, n, (x, y, z) in [('small', 20000, (48, 48, 48)), ('medium', 200000, (100, 96, 108)), ('large', 3000000, (256, 256, 256))]:
        launch(f, 'spread_charges', size, up(4 * n, 128), 128, {'count': n, 'nx': x, 'ny': y, 'nz': z}, {'atoms': f32(4 * n), 'mesh': zero(x * y * z)}, 'mesh', depends='where atoms are')
        half = z // 2 + 1
        launch(f, 'solve_reciprocal', size, (up(half, 128), y, x), 128, {'nx': x, 'ny': y, 'nz': z, 'beta2': 9.0, 'volume': 1000.0},
               {'mesh': f32(2 * x * y * half, -1), 'bx': f32(x, 0.5), 'by': f32(y, 0.5), 'bz': f32(z, 0.5), 'energies': zero(up(half, 128) * y * x)}, 'mesh energies')
    for size, tiles, groups in [('small', 3000, 300), ('medium', 60000, 3000), ('large', 1000000, 30000)]:
        launch(f, 'pairs_of_tiles', size, up(tiles, 4), 128, {'tiles': tiles, 'beta': 3.0, 'cutoff2': 0.3}, {'atoms': f32(128 * groups), 'tile_i': s32(tiles, 0, groups - 1), 'tile_j': s32(tiles, 0, groups - 1), 'forces': zero(128 * tiles)}, 'forces',
               depends='which tiles meet')
    f = 'trees_and_orders'
    for size, n, depth in [('small', 30000, 12), ('medium', 500000, 16), ('large', 5000000, 20)]:
        nodes = (1 << depth) - 1
        launch(f, 'kd_nearest', size, up(n, 128), 128, {'count': n, 'nodes': nodes}, {'points': f32(3 * nodes), 'queries': f32(3 * n), 'nearest': zero(n, 's32')}, 'nearest', depends='which points are asked')
    for size, n, distance, blocks in [('small', 500000, 4, 264), ('medium', 10000000, 1024, 1056), ('large', 100000000, 65536, 2112)]:
        launch(f, 'double_ranks', size, blocks, 256, {'n': n, 'distance': distance}, {'rank': u32(n), 'key': zero(n, 'u64'), 'flags': zero(up(n, 32), 'u32')}, 'key flags')
    f = 'channel_codes'
    for size, lift, rows, columns, degree, words in [('small', 96, 12, 24, 7, 20), ('medium', 384, 46, 68, 8, 40), ('large', 384, 46, 68, 10, 400)]:
        launch(f, 'check_nodes_min_sum', size, (up(lift, 128), rows, words), 128, {'lift': lift, 'columns': columns, 'degree': degree, 'scale': 0.75},
               {'beliefs': f32(words * columns * lift, -8, 8), 'messages': f32(words * rows * degree * lift, -1), 'shifts': s32(rows * degree, 0, (columns << 16) - 1)}, 'messages', depends='where circulants are')
    for size, frames, length in [('small', 300, 200), ('medium', 3000, 400), ('large', 50000, 600)]:
        launch(f, 'viterbi_64_states', size, frames, 64, {'length': length, 'g0': 0o133, 'g1': 0o171}, {'soft': s8(2 * frames * length), 'survivors': zero(2 * frames * length, 'u32')}, 'survivors')
    for size, pairs, half, frames in [('small', 256, 32, 2000), ('medium', 1024, 256, 5000), ('large', 4096, 16, 20000)]:
        launch(f, 'polar_stage', size, (up(pairs, 64), up(frames, 4)), (64, 4), {'pairs': pairs, 'half': half, 'frames': frames}, {'in': f16(4 * pairs * frames, -8, 8), 'bits': u8(pairs * frames), 'f_out': zero(2 * pairs * frames, 'f16'), 'g_out': zero(2 * pairs * frames, 'f16')}, 'f_out g_out')
    f = 'level_sets'
    for size, x, y, z in [('small', 64, 60, 50), ('medium', 256, 250, 200), ('large', 640, 600, 512)]:
        n = x * y * z
        launch(f, 'redistance_step', size, (up(x, 32), up(y, 4), up(z, 2)), (32, 4, 2), {'nx': x, 'ny': y, 'nz': z, 'h': 0.01, 'dt': 0.003}, {'phi': f32(n, -1), 'phi0': f32(n, -1), 'out': zero(n)}, 'out', depends='on which side points are')
    for size, n, w, h, steps, block in [('small', 64, 200, 150, 60, (32, 4)), ('medium', 200, 1000, 800, 180, (16, 8)), ('large', 512, 2000, 1500, 300, (32, 4))]:
        launch(f, 'project_oblique', size, (up(w, block[0]), up(h, block[1])), block, {'n': n, 'width': w, 'height': h, 'steps': steps, 'dx': 0.3 * n / steps, 'dy': 0.25 * n / steps, 'dz': 0.95 * n / steps}, {'volume': f32(n ** 3), 'image': zero(w * h)}, 'image')
    for size, x, y, z in [('small', 100, 80, 32), ('medium', 400, 300, 128), ('large', 800, 700, 320)]:
        launch(f, 'lift97_along_z', size, (up(x, 64), y, up(z, 8)), 64, {'nx': x, 'ny': y, 'nz': z}, {'in': f32(x * y * z), 'out': zero(x * y * z)}, 'out')


def matrices_models_tables():
    f = 'krylov_pieces'
    for size, n in [('small', 20000), ('medium', 400000), ('large', 5000000)]:
        launch(f, 'eliminate_five', size, up(n, 128), 128, {'systems': n}, {'a': f64(25 * n), 'b': f64(5 * n), 'x': zero(5 * n, 'f64')}, 'x')
    for size, n, vectors, blocks in [('small', 200000, 10, 132), ('medium', 2000000, 20, 264), ('large', 20000000, 16, 264)]:
        launch(f, 'project_on_basis', size, blocks, 256, {'n': n, 'vectors': vectors}, {'basis': f64(n * vectors), 'w': f64(n), 'h': zero(vectors, 'f64')}, 'h')
    f = 'sparse_shapes'
    for size, n, diagonals in [('small', 200000, 7), ('medium', 4000000, 13), ('large', 20000000, 9)]:
        launch(f, 'diagonals_product', size, up(n, 256), 256, {'n': n, 'diagonals': diagonals}, {'values': f64(n * diagonals), 'at': s32(diagonals, -5000, 5000), 'x': f64(n), 'y': zero(n, 'f64')}, 'y', depends='where diagonals are')
    for size, rows, mean in [('small', 20000, 20), ('medium', 300000, 27), ('large', 2000000, 15)]:
        entries = rows * mean + 64
        launch(f, 'blocks_of_three_product', size, up(rows, 4), 128, {'rows': rows}, {'starts': ramp(rows + 1, mean, 5), 'columns': s32(entries, 0, rows - 1), 'values': f32(9 * entries), 'x': f32(3 * rows), 'y': zero(3 * rows)}, 'y',
               depends='how many blocks rows have, and in which columns')
    f = 'few_bits'
    for size, rows, words in [('small', 2560, 40), ('medium', 8192, 128), ('large', 100000, 256)]:
        launch(f, 'ternary_rows', size, up(rows, 8), 256, {'rows': rows, 'words': words, 'scale': 0.01}, {'weights': u32(4 * rows * words), 'activations': u32(16 * words), 'row_scale': f32(rows), 'out': zero(rows)}, 'out')
    for size, rows, quads in [('small', 500, 512), ('medium', 4000, 1800), ('large', 20000, 4096)]:
        launch(f, 'unscale_fp8_tiles', size, (up(quads, 64), up(rows, 4)), (64, 4), {'rows': rows, 'quads': quads}, {'in': u32(rows * quads), 'scales': f32(up(rows, 128) * up(quads, 32)), 'out': zero(2 * rows * quads, 'u32')}, 'out')
    for size, groups, blocks in [('small', 10000, 132), ('medium', 200000, 528), ('large', 4000000, 1056)]:
        launch(f, 'pack_nibbles', size, blocks, 128, {'groups': groups}, {'in': f32(32 * groups, -1), 'words': zero(4 * groups, 'u32'), 'scales': zero(groups, 'f16')}, 'words scales')
    f = 'sequence_layers'
    for size, batch, length, channels, block in [('small', 2, 128, 1024, 64), ('medium', 8, 512, 2048, 128), ('large', 16, 2048, 4096, 128)]:
        n = batch * length * channels
        launch(f, 'wkv_forward', size, up(batch * channels, block), block, {'batch': batch, 'length': length, 'channels': channels}, {'w': f32(channels), 'u': f32(channels), 'k': bf16(n, -1), 'v': bf16(n, -1), 'y': zero(n, 'bf16')}, 'y')
    for size, batch, frames, labels in [('small', 8, 100, 30), ('medium', 64, 400, 100), ('large', 512, 800, 200)]:
        n, block = batch * frames * labels, up(labels, 32) * 32
        launch(f, 'transducer_alphas', size, batch, block, {'frames': frames, 'labels': labels}, {'blank': f32(n, -3, 0), 'emit': f32(n, -3, 0), 'alphas': zero(n), 'loss': zero(batch)}, 'alphas loss', shared=8 * block)
    for size, heads, length in [('small', 64, 64), ('medium', 512, 256), ('large', 2048, 1024)]:
        n = heads * length
        launch(f, 'gated_delta_rule', size, heads, 64, {'length': length}, {'q': f32(64 * n, -0.1, 0.1), 'k': f32(64 * n, -0.1, 0.1), 'v': f32(64 * n, -1), 'gate': f32(n), 'beta': f32(n), 'out': zero(64 * n)}, 'out')
    for size, tokens, heads in [('small', 256, 12), ('medium', 4096, 40), ('large', 32768, 42)]:
        launch(f, 'norm_heads_and_rotate', size, (up(heads, 4), tokens), (32, 4), {'heads': heads, 'tokens': tokens}, {'qk': bf16(128 * heads * tokens, -1), 'weight': f32(128), 'cosines': f32(64 * tokens, -1), 'sines': f32(64 * tokens, -1)}, 'qk')
    f = 'retrieval'
    for size, n, queries, blocks in [('small', 50000, 4, 66), ('medium', 1000000, 8, 132), ('large', 10000000, 16, 264)]:
        launch(f, 'scan_codes', size, (blocks, queries), 256, {'count': n}, {'codes': u32(4 * n), 'tables': f32(4096 * queries), 'distances': zero(n * queries)}, 'distances', depends='which entries codes ask for')
    for size, rows in [('small', 500), ('medium', 10000), ('large', 100000)]:
        launch(f, 'best_of_1024', size, rows, 256, {}, {'scores': f32(1024 * rows), 'best': zero(64 * rows), 'places': zero(64 * rows, 's32')}, 'best places', depends='which keys change places')
    f = 'partitions'
    for size, n in [('small', 300000), ('medium', 6000000), ('large', 100000000)]:
        room = n // 128
        launch(f, 'partition_rows', size, up(n, 2048), 256, {'n': n, 'room': room}, {'keys': u32(n), 'payload': u32(n), 'cursors': zero(256, 'u32'), 'out': zero(512 * room, 'u32')}, 'cursors out', depends='which partition a row has')
    for size, quads in [('small', 100000), ('medium', 3000000), ('large', 50000000)]:
        launch(f, 'civil_dates', size, up(quads, 256), 256, {'quads': quads}, {'days': s32(4 * quads, -20000, 40000), 'packed': zero(4 * quads, 'u32')}, 'packed')
    for size, n, blocks in [('small', 400000, 264), ('medium', 10000000, 528), ('large', 100000000, 1056)]:
        launch(f, 'sum_of_decimals', size, blocks, 256, {'n': n}, {'price': s64(n, 0, 10000000), 'discount': s32(n, 0, 1000), 'sums': zero(2 * blocks, 'u64')}, 'sums')


def split(folder):
    """Halves by the hash of a kernel's name, as of the fifth and the ninth: of the kernels in this order the first half is judged."""
    kernels = list({f"{os.path.splitext(row['file'])[0]} {row['kernel']}" for row in LAUNCHES})
    kernels.sort(key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    half = len(kernels) // 2
    with open(os.path.join(folder, 'split.json'), 'w') as out:
        out.write(json.dumps({'judged': sorted(kernels[:half]), 'learned': sorted(kernels[half:])}, indent=1) + '\n')
