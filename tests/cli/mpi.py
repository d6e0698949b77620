#!/usr/bin/python3
"""rank under mpirun: the same answer bit for bit by 1, 2 and 4 processes; none is lost that was done.

usage: mpi.py FOREWARP FOREWARP_WITH_MPI SOURCE

Exits with 77 (skipped) where mpirun is not there."""
import os
import shutil
import subprocess
import sys
import tempfile

forewarp, with_mpi, source = sys.argv[1:4]
if not shutil.which('mpirun'):
    print('SKIPPED: there is no mpirun (Debian: openmpi-bin); RANKING BY SEVERAL PROCESSES WAS NOT TESTED')
    sys.exit(77)
question = ['rank', source + '/tests/golden/kernels/saxpy.ptx', '-d', 'h200', '--domain', '1M', '-s', '3=1M', '--json',
            '--vary', 'threads=32,64,128,256,512,1024', '--vary', '2=' + ','.join(map(str, range(1, 9)))]
alone = subprocess.run([forewarp, *question], capture_output=True, text=True, check=True).stdout
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', OMPI_MCA_btl_base_warn_component_unused='0',
                   ASAN_OPTIONS=os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0')  # Open MPI has leaks of its own
with tempfile.TemporaryDirectory() as folder:
    for processes in (1, 2, 4):
        for journal in (None, f'{folder}/journal'):
            command = ['mpirun', '--oversubscribe', '-n', str(processes), with_mpi, *question]
            if journal:
                command += ['--journal', journal]
            run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
            assert run.returncode == 0, (command, run.stderr)
            assert run.stdout == alone, command
    # What an ended run left behind is not predicted again: a journal cut in the middle, and no other.
    rows = [open(f'{folder}/journal.{r}').read() for r in range(4) if os.path.exists(f'{folder}/journal.{r}')]
    assert sum(text.count('\nrow ') for text in rows) == 48, [text.count('\nrow ') for text in rows]
    for r in range(1, 4):
        if os.path.exists(f'{folder}/journal.{r}'):
            os.remove(f'{folder}/journal.{r}')
    with open(f'{folder}/journal.0', 'w') as file:
        file.write(rows[0][:len(rows[0]) * 2 // 3])
    left = rows[0][:len(rows[0]) * 2 // 3].count('\nrow ') - 1
    run = subprocess.run(['mpirun', '--oversubscribe', '-n', '2', with_mpi, *question, '--journal', f'{folder}/journal'],
                         capture_output=True, text=True, env=environment, timeout=120)
    assert run.returncode == 0 and run.stdout == alone, run.stderr
    again = sum(open(f'{folder}/journal.{r}').read().count('\nrow ') for r in range(2)
                if os.path.exists(f'{folder}/journal.{r}'))
    assert again == 48 and left > 0, (again, left)
print('1, 2 and 4 processes rank alike')
