#!/usr/bin/env python3
"""Lengths that are loaded: their defaults, what follows from them, how they are stated, and what the answer says.

usage: lengths.py FOREWARP ROOT

Kernels of lengths.ptx go through rows or lists whose lengths, or begins and ends, an array tells.  Half of the room that
addresses leave is supposed; without room, 16 entries, or where several warps share a list, as many as they have places.
All loops and branches over a list follow from its one length.  `pages` adds by `or`, and warps share pages."""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
PTX = ROOT + '/tests/cli/lengths.ptx'
faults = []


def run(what, kernel, *stated, grid='2000', block='256'):
    command = [FOREWARP, *what, PTX, '-d', 'h200', '-k', kernel, '-g', grid, '-b', block]
    for value in stated:
        command += ['-s', value]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})


def ask(kernel, *stated, model='blend'):
    done = run(['predict', '--json', '-m', model], kernel, *stated)
    if done.returncode:
        sys.exit(done.stderr)
    answer = json.loads(done.stdout)
    return answer['predictions'][0], {u['kind'] + (u['name'] if u['kind'] == 'taken' else ''): u for u in answer['unknowns']}, answer['unknowns']


def check(what, good, shown):
    if not good:
        faults.append(f'{what}: {shown}')


def near(a, b, off=0.05):
    return abs(a / b - 1) <= off


# Half of what fits between the begins of rows, and of all that lie between steps of a warp.
for kernel, room, step in (('padded', 1000, 1), ('padded_by_warps', 1024, 32), ('windows', 32, 1)):
    prediction, named, unknowns = ask(kernel, *(['3=1000'] if room > 32 else []))
    length, trips = named['length'], named['trips']
    check(f'{kernel}: the default length', near(length['value'], room / 2, 0.01) and length['default'], length)
    check(f'{kernel}: trips follow', near(trips['value'], max(room / 2 / step, 1)) and trips['follows'] == length['name'], trips)
    check(f'{kernel}: branches follow', all(u['follows'] == length['name'] for u in unknowns if u['kind'] == 'taken'), unknowns)
    end = prediction['ends'][0]
    check(f'{kernel}: one end, of the length', len(prediction['ends']) == 1 and end['name'] == length['name'], prediction['ends'])
    check(f'{kernel}: the ends are part of the interval',
          prediction['interval'][0] <= end['low_seconds'] * 1.01 and end['high_seconds'] <= prediction['interval'][1] * 1.01,
          (end, prediction['interval']))
    if room > 32:
        check(f'{kernel}: no more than there is room for', near(end['high'], 0.95 * room, 0.01), end)
    for value in (end['low'], end['high']):
        stated, said, _ = ask(kernel, f'1.length={value}', *(['3=1000'] if room > 32 else []), model='traffic')
        usual = ask(kernel, *(['3=1000'] if room > 32 else []), model='traffic')[0]['seconds']
        expected = end['low_seconds' if value == end['low'] else 'high_seconds'] / prediction['seconds'] * usual
        check(f'{kernel}: an end is the answer of what is stated', near(stated['seconds'], expected, 0.02), (value, stated['seconds'], expected))
        check(f'{kernel}: what is stated is no default', not said['length']['default'] and said['trips']['source'] == 'stated', said)

# Begins in one array and ends in another; a length that comes through shared memory has no array to be stated by.
for value in (None, 300):
    _, named, _ = ask('cells', *([f'0.length={value}'] if value else []), model='traffic')
    check('cells: trips are those of the length', near(named['trips']['value'], value or 16), named)
trips = ask('told', '3=8192', model='traffic')[1]['trips']
check('told: half of the room, by 256 threads', near(trips['value'], 8192 / 2 / 256) and trips['default'], trips)

# A loop over batches and one in each agree: together they go through the list.
for kernel, stated in (('batches', ()), ('until_done', ('3=256',))):
    for length in (None, 100, 1000, 5000):
        _, named, unknowns = ask(kernel, *stated, *([f'0.length={length}'] if length else []), model='traffic')
        outer, inner = sorted((u for u in unknowns if u['kind'] == 'trips'), key=lambda u: u['value'])
        check(f'{kernel}: as many as threads have places', near(named['length']['value'], length or 256), named['length'])
        check(f'{kernel}: trips together', near(outer['value'] * inner['value'], named['length']['value'], 0.1),
              (outer['value'], inner['value'], named['length']['value']))
        check(f'{kernel}: trips follow', outer['follows'] == inner['follows'] == named['length']['name'], (outer, inner))
done = [u['value'] for u in ask('until_done', '3=256', model='traffic')[2] if u['kind'] == 'taken' and not u.get('follows')]
check('a flag that loops carry is no integer that is rarely a certain one', done and max(done) <= 0.5, done)
check('a loop that runs to the end of its list is left nowhere else', done and min(done) == 0, done)
text = run(['predict'], 'padded', '3=1000').stdout
check('the text says how to state it', 'for each (-s param_1.length=VALUE)' in text, text)

# What is shifted, or multiplied, leaves room for what is less: `or` adds.
volumes = json.loads(run(['traffic', '--json'], 'pages').stdout)
most = 16000 * (128 + 32)
check('a warp asks for its page, not each lane for its own', volumes['l2_to_l1_bytes'] <= most, (volumes['l2_to_l1_bytes'], most))
check('each page is of one warp', near(volumes['once_read_bytes'], 16000 * (128 + 4)), volumes['once_read_bytes'])
for kernel, stated in (('shared_pages', ('3=8',)), ('shared_lists', ('3=8', '4=64', '5.length=32'))):
    volumes = json.loads(run(['traffic', '--json'], kernel, *stated, grid='32,100', block='128').stdout)
    once = 100 * 32 * (8 * 2048 + 4)
    check(f'{kernel}: threads of a warp share a page, and heads a cache', near(volumes['once_read_bytes'], once), (volumes['once_read_bytes'], once))

# A loop that no row of the supposed length comes to follows from that length all the same.
done = subprocess.run([FOREWARP, 'predict', '--json', '-m', 'traffic', ROOT + '/tests/golden/kernels/spmv_csr_vector.ptx', '-d', 'h200',
                       '-g', '4096', '-b', '256', '-s', '5=32768'], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
unknowns = json.loads(done.stdout)['unknowns']
check('spmv_csr_vector: everything follows from the length of a row',
      len([u for u in unknowns if u['kind'] == 'trips']) == 2 and all(u['kind'] == 'length' or u.get('follows') for u in unknowns), unknowns)

# Each block has a length of its own: of 64 that are resident at once the launch waits for the longest, nearly one and a half
# of the mean; of one alone nothing is known but the mean.
one, many = (json.loads(run(['predict', '-m', 'trace', '--json'], 'rounds', '0.length=100000', '2=1', grid=grid, block='128').stdout)
             ['predictions'][0]['seconds'] for grid in ('1', '64'))
check('a launch of unequal blocks waits for the longest', 1.35 < many / one < 1.6, many / one)

for stated, message in (('0.length=5', 'whose lengths this array tells'), ('1.length=0', 'a mean length is a number'),
                        ('1.length=x', 'a mean length is a number'), ('7.length=5', 'has no argument')):
    refused = run(['predict'], 'padded', '3=1000', stated)
    check(f'-s {stated} is refused', refused.returncode == 2 and message in refused.stderr, refused.stderr)

print('\n'.join(faults) or 'lengths are as they are')
sys.exit(len(faults) > 0)
