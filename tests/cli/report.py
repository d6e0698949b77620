#!/usr/bin/env python3
"""The page of `forewarp report`: what it holds, hostile names, and how a real browser lays it out.

usage: report.py FOREWARP ROOT

Exits with 77 (skipped) without Debian's chromium, behind what needs none.
"""
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOREWARP, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
GOLDEN = os.path.join(ROOT, 'tests/golden/kernels')
NAIVE = f'{GOLDEN}/transpose.ptx -k transpose_naive -g 157,624 -b 32,8 -s 2=5000 -s 3=4990'
TILED = f'{GOLDEN}/matmul_tiled.ptx -g 63,63 -b 16,16 -s 3=1000 -s 4=1000 -s 5=500'
STAR = f'{ROOT}/docs/examples/star25.json --vary coarsening=1x1x1,1x2x1 --vary threads=256,512'
HOSTILE = '<script>alert(1)</script>&"\'<img src=x onerror=alert(2)>\x1b]0;title\x07'
VOID = {'meta', 'img', 'br', 'link'}


class Page(html.parser.HTMLParser):
    """Elements that are closed as they were opened, and attributes that run or fetch something."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.bad, self.text = [], {}, [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            outside = name in ('src', 'href', 'xlink:href', 'action') and not value.startswith('#')
            if name.startswith('on') or outside or 'url(' in (value or ''):
                self.bad.append((tag, name, value))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


def report(folder, *operands, status=0):
    path = os.path.join(folder, 'page.html')
    done = subprocess.run([FOREWARP, 'report', '-d', 'h200', '-o', path, *operands], capture_output=True, text=True, cwd=folder)
    assert done.returncode == status, (operands, done.returncode, done.stderr)
    if status:
        return done.stderr
    with open(path) as file:
        text = file.read()
    page = Page(text)
    assert not page.bad, page.bad
    assert 'script' not in page.tags and 'img' not in page.tags and 'iframe' not in page.tags
    assert "default-src 'none'" in text
    assert '\x1b' not in text
    return text


def check_parts(folder):
    text = report(folder, NAIVE, TILED, STAR)
    for part in ('What to change', 'What the time goes to', 'Bytes between the levels', 'Roofline', 'Occupancy', 'Source, by',
                 'What each resource needs', 'Timeline of one multiprocessor', 'Time over', 'What varies'):
        assert part in text, part
    for kernel in ('transpose_naive', 'matmul_tiled'):
        assert text.count(f'>{kernel}</h2>') == 1
    assert text.index('>transpose_naive</h2>') < text.index('>matmul_tiled</h2>') < text.index('configurations</h2>')
    # The numbers are those of predict.
    answer = subprocess.run([FOREWARP, 'predict', *NAIVE.split(), '-d', 'h200', '--json'], capture_output=True, text=True)
    seconds = json.loads(answer.stdout)['predictions'][0]['seconds']
    assert f'<b>{seconds * 1e6:.0f} us</b>' in text, seconds
    assert report(folder, NAIVE, TILED, STAR) == text
    return text


def check_unknowns(folder):
    """What data decide, and what no model has, as `predict` tells it."""
    launch = f'{GOLDEN}/spmv_csr_vector.ptx -g 4096 -b 256 -s 5=32768'
    answer = json.loads(subprocess.run([FOREWARP, 'predict', *launch.split(), '-d', 'h200', '--json'], capture_output=True, text=True).stdout)
    told = html.unescape(report(folder, launch))
    for sentence in answer['predictions'][0]['left_out']:
        assert sentence in told, sentence
    decides = [row for row in answer['unknowns'] if not row.get('follows')]
    assert [row['name'] for row in decides] == ['spmv_csr_vector_param_0.length'], decides
    assert '<code>param_0.length</code></td><td>16 ' in told and f'{len(answer["unknowns"]) - 1} more follow from lengths' in told
    end = answer['predictions'][0]['ends'][0]
    assert f'param_0.length = {end["low"]:.4g}, ' in told
    assert 'Not known before' not in report(folder, NAIVE)


def check_sizes(folder):
    """OpenCL's global size, which other commands take, stands for the grid"""
    stencil = f'{GOLDEN}/box_filter.ptx -b 32,8 -s 2=1000 -s 3=500 -s 4=2'
    assert report(folder, f'{stencil} --global 1024,504') == report(folder, f'{stencil} -g 32,63')
    assert 'give one' in report(folder, f'{stencil} -g 32,63 --global 1024,504', status=2)


def check_counters(folder):
    counters = os.path.join(folder, 'counters.json')
    with open(counters, 'w') as file:
        file.write('{"dram__bytes_read.sum": 99800000, "dram__bytes_write.sum": 99900000}')
    text = report(folder, f'{NAIVE} --volumes {counters}')
    assert 'Beside a profiler' in text and 'dram__bytes_read.sum' in text


def check_hostile(folder):
    """Names of files, and lines of sources, that would be HTML."""
    inner = os.path.join(folder, 'names')
    os.mkdir(inner)
    name = os.path.join(inner, HOSTILE.replace('/', '_') + '.ptx')
    shutil.copy(f'{GOLDEN}/saxpy.ptx', name)
    launches = os.path.join(inner, 'list.json')
    with open(launches, 'w') as file:
        file.write(json.dumps({'file': name, 'grid': [4], 'block': [256], 'arguments': {'3': 1000}}))
    text = report(folder, '--launches', launches)
    assert '&lt;script&gt;' in text and '<script' not in text and '<img' not in text
    # A line of the source, which --lineinfo leads to.
    source = os.path.join(inner, 'evil.cu')
    with open(f'{GOLDEN}/saxpy.ptx') as file:
        ptx = file.read()
    where = re.search(r'\.file\s+1\s+"([^"]*)"', ptx)
    with open(os.path.join(inner, 'evil.ptx'), 'w') as file:
        file.write(ptx.replace(where.group(1), 'evil.cu'))
    with open(source, 'w') as file:
        file.write('</td></table><script>alert(3)</script><svg onload=alert(4)>\n' * 40)
    text = report(folder, os.path.join(inner, 'evil.ptx') + ' -g 4096 -b 256 -s 3=1000000')
    assert '&lt;svg onload=alert(4)&gt;' in text
    # Varied values of a ranking.
    text = report(folder, f'{GOLDEN}/saxpy.ptx --vary block=64x1x1,128x1x1 --domain 1000000 -s 3=1000000')
    assert 'configurations</h2>' in text
    assert 'Without a prediction</summary>' not in text and 'something else' not in text
    # What is left out of a ranking, and why; what does other work.
    tiled = f'{GOLDEN}/matmul_tiled.ptx --domain 512,500 -s 3=500 -s 4=512 -s 5=512'
    text = report(folder, f'{tiled} --vary block=16x16x1,16x4x1,1024x2x1')
    assert 'Without a prediction</summary>' in text and 'that none of its threads has written</li>' in text
    assert '1024 &#215; 2 &#215; 1 threads: ' in text
    # A launch, and the ranking of its domain.
    text = report(folder, f'{tiled} -g 32,32 -b 16,16 --vary block=16x16x1,16x4x1')
    assert 'What the time goes to' in text and '2 configurations</h2>' in text
    text = report(folder, f'{GOLDEN}/copy.ptx -k copy -b 64 --vary block=64x1x1,128x1x1 -g 1000 -s 2=1000000')
    assert '1 of them writes or computes something else' in text


def check_errors(folder):
    path = os.path.join(folder, 'page.html')
    assert 'page' in subprocess.run([FOREWARP, 'report', '-d', 'h200', TILED], capture_output=True, text=True).stderr
    with open(path) as file:
        before = file.read()
    assert 'no_such.ptx' in report(folder, 'no_such.ptx -g 1 -b 1', status=3)
    assert 'device' in subprocess.run([FOREWARP, 'report', TILED, '-o', path], capture_output=True, text=True).stderr
    with open(path) as file:
        assert file.read() == before, 'a page that failed replaced one that is there'


def check_layout(folder, text):
    """No element is wider than the page, at three widths, light and dark; and it prints."""
    chromium = shutil.which('chromium')
    if not chromium:
        print('SKIPPED: chromium is missing; HOW THE PAGE IS LAID OUT WAS NOT CHECKED')
        sys.exit(77)
    # The page itself runs no script: a frame around it measures, in a copy without the policy.
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>', text).group(0)
    measure = ('<script>onload=()=>{let wide=document.documentElement.scrollWidth-innerWidth,small=0,cut=[];'
               'for(const t of document.querySelectorAll("figure svg text")){const b=t.getBoundingClientRect(),'
               's=t.ownerSVGElement.getBoundingClientRect();if(b.width&&(b.right>s.right+2||b.left<s.left-2))'
               'cut.push(t.textContent);if(b.height&&b.height<8)small++}'
               'document.title="WIDE "+wide+" SMALL "+small+" CUT "+cut.join("|")}</script>')
    for width in (400, 900, 1400):
        path = os.path.join(folder, 'measured.html')
        with open(path, 'w') as file:
            file.write(text.replace(policy, '').replace('</main>', '</main>' + measure))
        done = subprocess.run([chromium, '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={folder}/profile',
                               f'--window-size={width},1000', '--dump-dom', 'file://' + path],
                              capture_output=True, text=True, timeout=120)
        found = re.search(r'<title>WIDE (-?\d+) SMALL (\d+) CUT (.*?)</title>', done.stdout)
        assert found, done.stderr[-500:]
        assert int(found.group(1)) <= 0, f'{width}: {found.group(1)} pixels too wide'
        assert found.group(3) == '', f'{width}: cut off: {found.group(3)}'
    subprocess.run([chromium, '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={folder}/profile',
                    f'--print-to-pdf={folder}/page.pdf', 'file://' + os.path.join(folder, 'measured.html')],
                   capture_output=True, timeout=120, check=True)
    assert os.path.getsize(folder + '/page.pdf') > 10000


def main():
    with tempfile.TemporaryDirectory() as folder:
        text = check_parts(folder)
        check_unknowns(folder)
        check_sizes(folder)
        check_counters(folder)
        check_hostile(folder)
        check_errors(folder)
        check_layout(folder, text)


if __name__ == '__main__':
    main()
