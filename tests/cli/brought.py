#!/usr/bin/env python3
"""Loads outside of loops find in L1 what loads of the block that were over before them have brought: behind barriers, the
second to fourth tap of a convolution wait for no device memory.

usage: brought.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]


def seconds(kernel, model):
    return json.loads(subprocess.run([FOREWARP, 'predict', ROOT + '/tests/cli/brought.ptx', '-k', kernel, '-d', 'h200', '-g', '1024,128',
                                      '-b', '32,16', '-s', '3=4096', '-m', model, '--json'],
                                     capture_output=True, text=True, check=True).stdout)['predictions'][0]['seconds']


for model, most in ('trace', 1.32), ('traffic', 1.5):
    four, one = seconds('four_taps', model), seconds('one_tap', model)
    print(model, four, one, four / one)
    assert four < most * one, (model, four, one)
