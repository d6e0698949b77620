"""What write-triton-further and record_triton_further.py have in common: the sets of kernels and how their PTX is kept."""
import hashlib
import importlib
import re

SETS = {'triton-further': 'triton_further', 'triton-third': 'triton_third'}


def set_of(name):
    return importlib.import_module(SETS[name])


def launches_of(kernels):
    return {**kernels.LAUNCHES, **getattr(kernels, 'PROBES', {})}


def launch(kernels, name, sizes, maker):
    """The kernel, its grid, arguments and options, and what must be kept while it runs."""
    grid, arguments, options, *kept = getattr(kernels, name + '_at')(maker, *sizes)
    return getattr(kernels, name), tuple(grid) + (1,) * (3 - len(grid)), arguments, options, kept


def half_of(kernels, name):
    """By the hash of the kernel's name; probes are of none; a set that is judged as a whole has HALVES = False."""
    if name in getattr(kernels, 'PROBES', {}):
        return 'probe'
    if not getattr(kernels, 'HALVES', True):
        return 'judged'
    return 'learned' if hashlib.sha256(name.encode()).digest()[0] % 2 else 'judged'


def clean_ptx(text):
    """The text without debug sections (they spell paths) and with bare file names."""
    text = re.sub(r'(?m)^(\t?\.file\s+\d+\s+")[^"]*/([^"/]+")', r'\1\2', text)
    return re.sub(r'(?ms)^\t?\.section\s+\.debug_\w+\s*\{.*?^\t?\}\n?', '', text)
