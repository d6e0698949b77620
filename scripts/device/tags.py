#!/usr/bin/env python3
"""Patterns of lanes for data/h200/tags/hits.cu: those of lanes.py that L1 holds, columns of rows so many
bytes apart, and walks along these rows.

usage: tags.py > patterns.txt   then: nvcc -O3 -arch=sm_90 -o hits hits.cu; hits patterns.txt > hits.jsonl
"""
import os
import runpy

lanes = runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'lanes.py'), run_name='lanes')
rows = [(name, size, 32, 0, places) for name, operation, size, step, _, warps, places in lanes['R']
        if operation == 'ld' and step == 0 and size >= 4 and warps == 4 and name != 'none']
for warps in (8, 32):
    for pitch in (128, 132, 160, 256, 400, 512, 800, 1024, 1600, 2000, 2048, 4000, 4096, 4100, 4112, 4224, 8192):
        for n in (2, 4, 8, 16, 32):
            columns = [l % n * pitch for l in range(32)]
            rows.append((f'columns{n}@{pitch}', 4, warps, 0, columns))
            if pitch in (400, 800, 2000, 4000, 4096, 4112):
                rows.append((f'walk{n}@{pitch}', 4, warps, 4, columns))
for pitch in (512, 2000, 4000, 4096, 4112):
    for size in (8, 16):
        for n in (4, 8, 16, 32):
            rows.append((f'columns{n}@{pitch}', size, 32, 0, [l % n * pitch for l in range(32)]))
for name, size, warps, step, places in rows:
    print(name.replace(' ', '_'), size, warps, step, *places)
