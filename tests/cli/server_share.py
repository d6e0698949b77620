#!/usr/bin/env python3
"""The model traffic gets `server_share` of the load-store unit's cycles, and no more: a launch that this unit limits takes as
much longer as the share is smaller; a launch that waits for device memory does not.

usage: server_share.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys
import tempfile

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
failed = 0


def predict(share, ptx, kernel, *rest):
    """Seconds, those of the load-store unit's wavefronts, and the limiter, with a share of the profile's."""
    profile = json.load(open(ROOT + '/profiles/h200.json'))
    profile['figures']['server_share'].update(value=share, low=share, high=share)
    with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
        json.dump(profile, file)
        file.flush()
        run = subprocess.run([FOREWARP, 'predict', ptx, '-k', kernel, '-m', 'traffic', '-d', file.name, '--json', *rest],
                             capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if run.returncode:
        sys.exit(run.stderr)
    prediction = json.loads(run.stdout)['predictions'][0]
    terms = {term['name']: term['seconds'] for term in prediction['terms']}
    return prediction['seconds'], terms['l1'], max(terms, key=terms.get)


def check(what, good, *shown):
    global failed
    failed += not good
    if not good:
        print('FAILED:', what, *shown)


STAR = [ROOT + '/data/h200/traffic/kernels.ptx', 'star_1_1', '-b', '4,8,32', '-g', '158,63,16', '-s', '7=640', '-s', '8=512', '-s', '9=512']
seconds = {share: predict(share, *STAR) for share in (1, 0.95, 0.8)}
for share, (time, wavefronts, limiter) in seconds.items():
    check(f'the star at {share}: the unit limits it', limiter == 'l1', limiter)
    check(f'the star at {share}: no more than the share', time >= 0.999 * wavefronts / share, time, wavefronts)
    check(f'the star at {share}: wavefronts alone', time <= 1.06 * wavefronts / share, time, wavefronts)
check('the unit alone takes as long', seconds[1][1] == seconds[0.8][1], seconds)
COPY = [ROOT + '/tests/golden/kernels/copy.ptx', 'copy', '-b', '256', '-g', '262144', '-s', '2=67108864']
one, other = predict(1, *COPY), predict(0.8, *COPY)
check('a copy takes as long', one[2] != 'l1' and abs(one[0] - other[0]) < 0.01 * one[0], one, other)
print(failed, 'failed')
sys.exit(failed > 0)
