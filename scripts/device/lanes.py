#!/usr/bin/env python3
"""Patterns of lanes for data/h200/lanes/lanes.cu, and what was counted of them as rows of counted.jsonl.

usage: lanes.py patterns FOLDER   writes PART.txt and PART.json into FOLDER
       lanes.py collect FOLDER    reads PART.csv (Nsight Compute's raw page) beside them, writes rows
A row holds counters of one warp instruction: those of a launch less those of one that goes through no iteration.
"""
import csv
import json
import random
import sys

random.seed(20261121)
R = []


def add(name, op, b, offs, step=0, it=32, warps=4):
    R.append((name, op, b, step, it, warps, offs))


def unit(b,a=0,n=32): return [l*b+a if l<n else -1 for l in range(32)]
def stride(b,s,n=32): return [l*b*s if l<n else -1 for l in range(32)]
def rows(b,k,pitch,a=0): return [(l//(32//k))*pitch+(l%(32//k))*b+a for l in range(32)]
def lines(k,inter=False): return [((l%k) if inter else (l*k//32))*128+l*4 for l in range(32)]
def rnd(b,nbytes): return [random.randrange(nbytes//b)*b for l in range(32)]
def suite(op,step,warps=4):
    tag=f' step{step}'
    for a in (0,4,16,32,64,96,124): add(f'unit4+{a}',op,4,unit(4,a),step)
    for s in (2,3,4,5,8,16,31,32,33,64): add(f'stride4x{s}',op,4,stride(4,s),step)
    for k in (2,4,8,16,32): add(f'lines{k}',op,4,lines(k),step)
    for k in (2,3,4,8,16): add(f'interleaved{k}',op,4,lines(k,True),step)
    for k in (2,4,8,16): add(f'rows4x{k}@4096',op,4,rows(4,k,4096),step)
    for k in (2,4,8): add(f'rows4x{k}@4224+4',op,4,rows(4,k,4224,4),step)
    for k in (2,4,8): add(f'rows4x{k}@free',op,4,rows(4,k,4096+128//k),step)
    for k in (1,2,4,8): add(f'same{k}',op,4,[(l%k)*128 for l in range(32)],step)
    for k in (2,4,8): add(f'sameblock{k}',op,4,[(l*k//32)*128 for l in range(32)],step)
    for i in range(5): add(f'random4 128K {i}',op,4,rnd(4,1<<17),step)
    for i in range(2): add(f'random4 2K {i}',op,4,rnd(4,1<<11),step)
    for i in range(2): add(f'randomownbank {i}',op,4,[random.randrange(16)*128+l*4 for l in range(32)],step)
    for n in (1,4,8,16,24): add(f'first{n}',op,4,unit(4,0,n),step)
    for n in (4,8,16): add(f'first{n}x33',op,4,stride(4,33,n),step)
    for a in (0,8,32,64,120): add(f'unit8+{a}',op,8,unit(8,a),step)
    for k in (2,4,8,16): add(f'rows8x{k}@4096',op,8,rows(8,k,4096),step)
    for k in (2,4,8): add(f'rows8x{k}@4096+8',op,8,rows(8,k,4096,8),step)
    for k in (2,4,8): add(f'rows8x{k}@free',op,8,rows(8,k,4096+max(8,256//k)%128 if k>2 else 4096+128),step)
    for k in (4,8): add(f'rows8x{k}@4160',op,8,rows(8,k,4160),step)
    for s in (2,3,4,16,17): add(f'stride8x{s}',op,8,stride(8,s),step)
    for i in range(3): add(f'random8 128K {i}',op,8,rnd(8,1<<17),step)
    add('same8',op,8,[0]*32,step)
    for a in (0,16,64): add(f'unit16+{a}',op,16,unit(16,a),step)
    for k in (2,4,8,16): add(f'rows16x{k}@4096',op,16,rows(16,k,4096),step)
    for k in (4,8): add(f'rows16x{k}@4096+16',op,16,rows(16,k,4096,16),step)
    for s in (2,3,4,8,9): add(f'stride16x{s}',op,16,stride(16,s),step)
    for i in range(3): add(f'random16 128K {i}',op,16,rnd(16,1<<17),step)
    add('same16',op,16,[0]*32,step)
    for a in (0,1,32): add(f'unit1+{a}',op,1,unit(1,a),step)
    for a in (0,2,64): add(f'unit2+{a}',op,2,unit(2,a),step)
    add('stride2x64',op,2,stride(2,64),step); add('stride1x128',op,1,stride(1,128),step)
for op in ('ld','st'):
    for b in (1,2,4,8,16): add('none',op,b,unit(b),0,0)
    suite(op,0)
suite('ld',16384)
for b in (4,8,16): add('none','cp',b,unit(b),0,0)
for w in (4,32):
    for b in (4,8,16):
        for a in (0,b,32): add(f'unit{b}+{a} w{w}','cp',b,unit(b,a),512*w//4*4,32,w)
for b in (4,8,16):
    add(f'unit{b} w32','ld',b,unit(b),4096,32,32); add(f'unit{b} w32','st',b,unit(b),4096,32,32)
add('random4 w32','ld',4,rnd(4,1<<17),0,32,32); add('random4 w32','st',4,rnd(4,1<<17),0,32,32)
for b in (4,8):
    add('none','ldl',b,unit(b),0,0); add('none','stl',b,unit(b),0,0)
    for op in ('ldl','stl'):
        add('uniform',op,b,[0]*32); add('uniform moving',op,b,[0]*32,1)
        for k in (2,4,8,16): add(f'own{k}',op,b,[(l%k)*b for l in range(32)])
        for k in (2,4,8,16): add(f'block{k}',op,b,[(l*k//32)*b for l in range(32)])
        for i in range(3): add(f'random16 {i}',op,b,[random.randrange(16)*b for l in range(32)])
        if b==4:
            for i in range(2): add(f'random64 {i}',op,b,[random.randrange(64)*b for l in range(32)])
add('none','ldc',4,unit(4),0,0)
for k in (1,2,4,8,16,32): add(f'distinct{k}','ldc',4,[(l%k)*4 for l in range(32)]); 
for k in (2,8,32): add(f'distinct{k}x64','ldc',4,[(l%k)*64 for l in range(32)])
add('moving','ldc',4,[0]*32,1)

NAMES = {
    "l1tex__data_pipe_lsu_wavefronts": "wavefronts",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld": "load_lookups",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st": "store_lookups",
    "l1tex__data_bank_conflicts_pipe_lsu": "bank_conflicts",
    "lts__t_sectors_srcunit_tex_op_read": "l2_read_sectors",
    "lts__t_sectors_srcunit_tex_op_write": "l2_write_sectors",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld": "local_load_sectors",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st": "local_store_sectors",
    "idc__requests": "constant_requests",
}
PARTS = ["found", "missed", "stores", "local"]
MULTIPROCESSORS = 132


def part_of(row):
    name, op, b, step = row[:4]
    if op == "ld":
        return "missed" if step else "found"
    return "stores" if op in ("st", "cp") else "local"


def write(folder):
    for part in PARTS:
        rows = [r for r in R if part_of(r) == part]
        with open(f"{folder}/{part}.txt", "w") as f:
            for name, op, b, step, it, w, offs in rows:
                print(op, b, step, it, w, *offs, file=f)
        with open(f"{folder}/{part}.json", "w") as f:
            json.dump(rows, f)


def counters(path):
    with open(path) as f:
        rows = csv.DictReader(line for line in f if line.startswith('"'))
        return [{k[:-4]: float(v.replace(",", "")) for k, v in r.items() if k.endswith(".sum") and v}
                for r in rows if r["ID"].isdigit()]


def collect(folder):
    base = {}
    for part in PARTS:
        with open(f"{folder}/{part}.json") as f:
            rows = json.load(f)
        for (name, op, b, step, it, w, offs), counted in zip(rows, counters(f"{folder}/{part}.csv")):
            if it == 0:
                base[op, b] = counted
                continue
            row = {"pattern": name, "operation": op, "bytes": b, "step": step, "warps": w, "offsets": offs}
            for metric, text in NAMES.items():
                if metric in counted:
                    each = (counted[metric] - base[op, b][metric] * w / 4) / (MULTIPROCESSORS * w * it)
                    if abs(each) > 0.0005:
                        row[text] = round(each, 3)
            print(json.dumps(row))


if __name__ == "__main__":
    write(sys.argv[2]) if sys.argv[1] == "patterns" else collect(sys.argv[2])
