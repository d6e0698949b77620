#!/usr/bin/env python3
"""Threads that share an address (i / wide) are one thread of it, and all of them run the access: where a loop over the
grid goes round less often in later blocks, the warps of a block still have as much to do, and the model traffic's time is
that of its busiest resource.  (Warp 0 alone counted as the one that computes: 2.31 ms for 0.31 ms of issue slots.)

usage: merged_threads.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
failed = 0
for wide in 1, 3, 91, 1000:
    run = subprocess.run([FOREWARP, 'predict', ROOT + '/tests/cli/merged_threads.ptx', '-k', 'marks', '-m', 'traffic', '-d', 'h200',
                          '-g', '2112', '-b', '512', '-s', '3=91000000', '-s', f'4={wide}', '--json'], capture_output=True,
                         text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if run.returncode:
        sys.exit(run.stderr)
    prediction = json.loads(run.stdout)['predictions'][0]
    most = max(term['seconds'] for term in prediction['terms'])
    if not most < prediction['seconds'] < 1.25 * most:
        failed += 1
        print('FAILED: a row of', wide, 'elements:', prediction['seconds'], 's, and the longest term is', most)
print('4 rows,', failed, 'failed')
sys.exit(failed > 0)
