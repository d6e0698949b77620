#!/usr/bin/env python3
"""Forests of forewarp beside scikit-learn's on the same data, settings and machine, one thread each.

usage: compare_forests.py BENCH_FOREST [TABLE.csv] [--kinds extra,bootstrap] [--seeds 10] [--absolute-trees 64]

Data: 1652 rows of 12 features like the forest paper's (counts over many decades, few distinct launch shapes;
a target that depends on some of them, with steps and noise), drawn from a fixed seed, and as many rows to test
on; or TABLE.csv (numbers alone, the target last), of which every second row is tested on.  For each kind,
criterion and number of candidates: mean absolute error on the test rows over the seeds for both, the paired
difference by row order of seeds with its t value, and seconds of training (the processor's; medians, and the
median of ratios seed by seed).  Then one row and 10,000 rows of a forest of 512 trees.  Needs NumPy and
scikit-learn; where LightGBM is installed, its forests (boosting=rf, extra_trees, no limit of leaves but the
rows) are compared too, one row by its C call for single rows."""
import argparse
import ctypes
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

for threads in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS'):
    os.environ[threads] = '1'
import numpy  # noqa: E402
import sklearn  # noqa: E402
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor  # noqa: E402


def paper_like(rows, seed):
    draw = numpy.random.default_rng(seed)
    block = draw.choice([32, 64, 128, 192, 256, 512, 1024], rows)
    grid = numpy.floor(10 ** draw.uniform(0, 5.5, rows))
    x = numpy.empty((rows, 12))
    x[:, 0], x[:, 1] = block, grid
    per_thread = 10 ** draw.normal(1.2, 0.8, (rows, 9))
    per_thread[draw.random((rows, 9)) < 0.2] = 0
    for f in range(9):
        x[:, 2 + f] = numpy.floor(block * grid * per_thread[:, f])
    x[:, 11] = x[:, 5] / numpy.maximum(1, x[:, 8])
    waves = numpy.ceil(block * grid / 200000)
    y = numpy.log(2 + x[:, 8] / 3e6 + x[:, 5] / 4e7 + waves * 3 + 0.3 * x[:, 3] / 1e7) + draw.normal(0, 0.05, rows)
    return x, y


def write(folder, name, x, y):
    path = os.path.join(folder, name)
    numpy.savetxt(path, numpy.column_stack([x, y]), delimiter=',', fmt='%.17g')
    return path


def ours(bench, paths, kind, criterion, candidates, trees, seeds):
    done = subprocess.run([bench, *paths, kind, criterion, candidates, str(trees), '1', *map(str, seeds)],
                          capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def theirs(data, kind, criterion, candidates, trees, seed):
    make = ExtraTreesRegressor if kind == 'extra' else RandomForestRegressor
    model = make(trees, criterion=criterion + '_error', max_features={'all': 1.0}.get(candidates, candidates),
                 n_jobs=1, random_state=seed)
    begin = time.process_time()
    model.fit(data[0], data[1])
    seconds = time.process_time() - begin
    return model, seconds, float(numpy.mean(numpy.abs(model.predict(data[2]) - data[3])))


def paired(a, b):
    """Mean difference and its t value."""
    differences = [x - y for x, y in zip(a, b)]
    spread = statistics.stdev(differences)
    mean = statistics.mean(differences)
    return mean, mean / (spread / math.sqrt(len(differences))) if spread > 0 else 0.0


def compare(bench, paths, data, kind, criterion, candidates, trees, seeds):
    own, other = [], []
    for seed in seeds:  # in turn, so that whatever else the machine does slows both
        own += ours(bench, paths, kind, criterion, candidates, trees, [seed])
        other.append(theirs(data, kind, criterion, candidates, trees, seed)[1:])
    own_errors, other_errors = [o['absolute'] for o in own], [o[1] for o in other]
    difference, t = paired(own_errors, other_errors)
    seconds = statistics.median(o['train_seconds'] for o in own), statistics.median(o[0] for o in other)
    times = statistics.median(b[0] / a['train_seconds'] for a, b in zip(own, other))
    print(f'| {kind} | {criterion} | {candidates} | {trees} | {statistics.mean(own_errors):.5f} '
          f'| {statistics.mean(other_errors):.5f} | {difference:+.5f} | {t:+.1f} | {seconds[0]:.3f} | {seconds[1]:.3f} '
          f'| {times:.1f} |', flush=True)


def predictions(bench, paths, data):
    own = ours(bench, paths, 'extra', 'squared', 'all', 512, [1])[0]
    model, _, _ = theirs(data, 'extra', 'squared', 'all', 512, 1)
    one = []
    for _ in range(30):
        begin = time.process_time()
        model.predict(data[2][:1])
        one.append(time.process_time() - begin)
    many = numpy.resize(data[2], (10000, data[2].shape[1]))
    begin = time.process_time()
    model.predict(many)
    rate = 10000 / (time.process_time() - begin)
    print(f'\n512 trees, {own["nodes"]} nodes: one row {own["row_us"]} us (rows in turn: {own["rows_in_turn_us"]} us), '
          f'scikit-learn {1e6 * statistics.median(one):.0f} us; '
          f'10,000 rows {own["rows_per_second"]} rows/s, scikit-learn {rate:.0f} rows/s ({own["rows_per_second"] / rate:.1f} times)')


def lightgbm_row(booster, row, runs=2000):
    """Median microseconds of one row through the C call for single rows, set up once."""
    from lightgbm import basic
    library, config, out, length = basic._LIB, ctypes.c_void_p(), (ctypes.c_double * 1)(), ctypes.c_int64()
    data = row.astype(numpy.float64)
    library.LGBM_BoosterPredictForMatSingleRowFastInit(booster._handle, 0, 0, -1, 1, len(data), b'num_threads=1',
                                                       ctypes.byref(config))
    at, seconds = data.ctypes.data_as(ctypes.c_void_p), []
    for _ in range(runs):
        begin = time.perf_counter()
        library.LGBM_BoosterPredictForMatSingleRowFast(config, at, ctypes.byref(length), out)
        seconds.append(time.perf_counter() - begin)
    library.LGBM_FastConfigFree(config)
    return 1e6 * statistics.median(seconds)


def compare_lightgbm(bench, paths, data, trees, seeds):
    try:
        import lightgbm
    except ImportError:
        return
    own, errors, trained = ours(bench, paths, 'extra', 'squared', 'all', trees, seeds), [], []
    for seed in seeds:
        settings = {'boosting': 'rf', 'extra_trees': True, 'num_leaves': len(data[1]), 'min_data_in_leaf': 1,
                    'min_sum_hessian_in_leaf': 0, 'bagging_freq': 1, 'bagging_fraction': 0.9, 'num_threads': 1,
                    'max_bin': 65535, 'min_data_in_bin': 1, 'seed': seed, 'verbose': -1}
        begin = time.process_time()
        booster = lightgbm.train(settings, lightgbm.Dataset(data[0], data[1]), trees)
        trained.append(time.process_time() - begin)
        errors.append(float(numpy.mean(numpy.abs(booster.predict(data[2], num_threads=1) - data[3]))))
    difference, t = paired([o['absolute'] for o in own], errors)
    begin = time.process_time()
    booster.predict(numpy.resize(data[2], (10000, data[2].shape[1])), num_threads=1)
    rate = 10000 / (time.process_time() - begin)
    print(f'\nLightGBM {lightgbm.__version__}, {trees} trees: error {statistics.mean(errors):.5f}, ours '
          f'{statistics.mean(o["absolute"] for o in own):.5f} (t {t:+.1f}); training {statistics.median(trained):.3f} s, ours '
          f'{statistics.median(o["train_seconds"] for o in own):.3f}; one row {lightgbm_row(booster, data[2][0]):.1f} us, ours '
          f'{own[0]["row_us"]}; 10,000 rows {rate:.0f} rows/s, ours {own[0]["rows_per_second"]}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('bench')
    parser.add_argument('table', nargs='?')
    parser.add_argument('--kinds', default='extra,bootstrap')
    parser.add_argument('--seeds', type=int, default=10)
    parser.add_argument('--trees', type=int, default=512)
    parser.add_argument('--absolute-trees', type=int, default=64)
    options = parser.parse_args()
    if options.table:
        whole = numpy.loadtxt(options.table, delimiter=',', comments='#')
        data = whole[::2, :-1], whole[::2, -1], whole[1::2, :-1], whole[1::2, -1]
    else:
        data = (*paper_like(1652, 1), *paper_like(1652, 2))
    print(f'scikit-learn {sklearn.__version__}, NumPy {numpy.__version__}, Python {sys.version.split()[0]}; '
          f'{len(data[1])} rows to train on, {len(data[3])} to test, {data[0].shape[1]} features\n')
    print('| kind | criterion | candidates | trees | error | scikit-learn | difference | t | seconds | scikit-learn | times |')
    print('|---|---|---|---|---|---|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder, 'train.csv', *data[:2]), write(folder, 'test.csv', *data[2:])
        for kind in filter(None, options.kinds.split(',')):
            for criterion in ('squared', 'absolute'):
                for candidates in ('all', 'sqrt', 'log2'):
                    trees = options.trees if criterion == 'squared' else options.absolute_trees
                    compare(options.bench, paths, data, kind, criterion, candidates, trees, range(1, options.seeds + 1))
        predictions(options.bench, paths, data)
        compare_lightgbm(options.bench, paths, data, options.absolute_trees, range(1, options.seeds + 1))


main()
