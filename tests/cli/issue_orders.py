#!/usr/bin/env python3
"""The order in which warps issue: as a property of a device, and as what a prediction depends on.

usage: issue_orders.py FOREWARP ROOT

Where each scheduler has one warp, no order matters: the three times are equal to the last bit, and no instruction was
overtaken.  Elsewhere each of them is what the device with this order is predicted to take."""
import json
import os
import subprocess
import sys
import tempfile

FOREWARP, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
ORDERS = ['greedy_youngest', 'greedy_oldest', 'loose_round_robin']
OWN, USUAL = 'greedy_oldest', 'greedy_youngest'  # an H200's; that of a profile which states none
LONG = [f'{ROOT}/data/h200/synthetic/learned/family_112.ptx', *'-g 1056 -b 64 -s 1=65536 -s 3=472 -s 5=472'.split()]
KERNELS = ROOT + '/tests/golden/kernels/'
TILED = [KERNELS + 'matmul_tiled.ptx', '-g', '65,65', '-b', '16,16', '-s', '3=1040', '-s', '4=1040', '-s', '5=1040']
ONE_WARP = {  # a scheduler: at most as many blocks of four warps as there are multiprocessors
    'saxpy': ['-g', '132', '-b', '128', '-s', '3=16800'],
    'mandelbrot': ['-g', '4,10', '-b', '32,4', '-s', '1=100', '-s', '2=40', '-s', '3=-2', '-s', '4=-1.125', '-s', '5=0.03', '-s', '6=50'],
    'spmv_csr': ['-g', '10', '-b', '128', '-s', '5=1280'],
    'matmul_naive': ['-g', '11,12', '-b', '16,8', '-s', '3=176', '-s', '4=96', '-s', '5=256'],
    'reduce': ['-g', '132', '-b', '32', '-s', '2=100000'],
}
failed = 0


def check(what, good, *seen):
    global failed
    print('ok  ' if good else 'FAIL', what, *seen)
    failed += not good


def run(*arguments):
    return subprocess.run([FOREWARP, *arguments], capture_output=True, text=True)


def predict(*arguments, device='h200'):
    done = run('predict', *arguments, '-d', device, '-m', 'trace', '--json')
    return json.loads(done.stdout) if done.returncode == 0 else print(done.stderr)


def main():
    for kernel, launch in ONE_WARP.items():
        answer = predict(KERNELS + kernel + '.ptx', *launch, '--issue-orders')
        times = {row['seconds'] for row in answer['issue_orders']}
        check(f'{kernel}, a warp a scheduler: one time', len(times) == 1, times)
        check(f'{kernel}: nothing to choose', answer['issue_choice'] == 0 and answer['issue_order_spread'] == 0)

    answer = predict(*TILED, '--issue-orders')
    seconds = {row['name']: row['seconds'] for row in answer['issue_orders']}
    check('all orders', list(seconds) == ORDERS, seconds)
    check("the device's own", [row['name'] for row in answer['issue_orders'] if row['own']] == [OWN])
    check('it is the prediction', seconds[OWN] == answer['predictions'][0]['seconds'])
    check('the order has a say', 0 < answer['issue_choice'] < 1 and answer['issue_order_spread'] > 0, answer['issue_choice'])
    spread = max(seconds.values()) / min(seconds.values()) - 1
    check('spread', abs(answer['issue_order_spread'] - spread) < 1e-9, spread)
    for order in ORDERS:
        changed = predict(*TILED, '--issue-orders', device=f'h200:issue_order={order}')
        check(f'the device with {order}', changed['predictions'][0]['seconds'] == seconds[order])
        check('the same beside it', {row['name']: row['seconds'] for row in changed['issue_orders']} == seconds)
        check('its own', [row['name'] for row in changed['issue_orders'] if row['own']] == [order])
        check('what if', [(row['value'], row['instead']) for row in changed['what_if']] == [(order, OWN)])

    # A long loop of few operations beside short ones that are most of what can be simulated: what two shares of its trips
    # differ by says nothing.
    long = predict(*LONG, '--issue-orders')['issue_order_spread']
    check('no order makes many times of it', long < 0.3, long)

    text = run('predict', *TILED, '-d', 'h200', '--issue-orders').stdout  # by the model blend
    check('as text', 'Time by the order of issue' in text and all(order in text for order in ORDERS)
          and f'the longest is {100 * spread:.1f} % above the shortest' in text)
    check('only where it is asked for', 'issue_orders' not in predict(*TILED) and 'order of issue' not in run('predict', *TILED, '-d', 'h200').stdout)

    with tempfile.TemporaryDirectory() as folder:
        profile = json.loads(run('device', 'show', 'h200', '--json').stdout)
        check('the profile states it', profile['figures'].pop('issue_order')['value'] == OWN)
        with open(folder + '/none.json', 'w') as file:
            json.dump(profile, file)
        without = predict(*TILED, device=folder + '/none.json')
        check('a profile without', without['predictions'][0]['seconds'] == seconds[USUAL])
        check('says so', any('no issue_order' in sentence for sentence in without['predictions'][0]['left_out']))
        answer = predict(*TILED)
        check('one with it does not', not any('issue_order' in sentence for sentence in answer['predictions'][0]['left_out']))
        wrong = dict(profile, figures=dict(profile['figures'], issue_order={'value': 'fifo', 'unit': 'name', 'source': 'spec'}))
        with open(folder + '/wrong.json', 'w') as file:
            json.dump(wrong, file)
        refused = run('predict', *TILED, '-d', folder + '/wrong.json')
        check('a wrong name', refused.returncode == 1 and 'DEV006' in refused.stderr
              and all(order in refused.stderr for order in ORDERS + ['.figures.issue_order']), refused.stderr.split('\n')[0])
    for device, code in ('h200:issue_order=fifo', 'DEV016'), ('h200:issue_order=2x', 'DEV016'):
        refused = run('predict', *TILED, '-d', device)
        check(device, refused.returncode == 2 and code in refused.stderr and all(order in refused.stderr for order in ORDERS))
    for arguments in (['-d', 'h200,a100'], ['-d', 'h200', '--launches', os.devnull], ['-d', 'h200', '--serve']):
        refused = run('predict', *TILED, '--issue-orders', *arguments)
        check(f'not with {arguments}', refused.returncode == 2 and '--issue-orders is of one' in refused.stderr)
    refused = run('predict', ROOT + '/kernels/knl/matmul.knl', '-s', 'n=1K', '-d', 'h200', '--compiler', 'none', '--issue-orders')
    check('not without code', refused.returncode == 2 and 'API096' in refused.stderr, refused.stderr)
    return failed > 0


sys.exit(main())
