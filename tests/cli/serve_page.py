#!/usr/bin/env python3
"""The local page of `forewarp serve`: answers, bounds, hostile requests.

usage: serve_page.py FOREWARP ROOT

Exits with 77 (skipped) where the program was built without libmicrohttpd.
"""
import http.client
import os
import signal
import socket
import subprocess
import sys
import time

FOREWARP, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
BOUNDARY = 'x-boundary-of-the-test'


def start():
    server = subprocess.Popen([FOREWARP, 'serve', '--port', '0'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    if not line:
        error = server.stderr.read()
        if 'without libmicrohttpd' in error:
            print('SKIPPED: the program was built without libmicrohttpd; ITS PAGE WAS NOT SERVED')
            sys.exit(77)
        sys.exit(error)
    return server, int(line.strip().rstrip('/').rsplit(':', 1)[1])


def form(fields):
    parts = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + value + b'\r\n'
             for name, value in fields.items()]
    return b''.join(parts) + f'--{BOUNDARY}--\r\n'.encode()


def ask(port, method='GET', path='/', fields=None, body=None, headers=None):
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    body = form({k: v if isinstance(v, bytes) else v.encode() for k, v in fields.items()}) if fields else body
    headers = {'Content-Type': f'multipart/form-data; boundary={BOUNDARY}', **(headers or {})}
    connection.request(method, path, body=body, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode('utf-8', 'replace')
    connection.close()
    return answer.status, text, answer.headers


def memory(server):
    with open(f'/proc/{server.pid}/status') as file:
        return int(next(line for line in file if line.startswith('VmRSS')).split()[1])


def raw(port, data):
    with socket.create_connection(('127.0.0.1', port), timeout=10) as connection:
        connection.sendall(data)
        connection.settimeout(0.1)
        try:
            return connection.recv(200)
        except OSError:
            return b''


def main():
    with open(f'{ROOT}/tests/golden/kernels/saxpy.ptx') as file:
        ptx = file.read()
    with open(f'{ROOT}/docs/examples/star25.json') as file:
        star = file.read()
    good = {'source': ptx, 'language': 'ptx', 'device': 'h200', 'grid': '4096', 'block': '256', 'arguments': '3=1M'}
    server, port = start()
    try:
        status, text, headers = ask(port)
        assert status == 200 and '<textarea' in text and "default-src 'none'" in headers['Content-Security-Policy']
        status, text, _ = ask(port, 'POST', '/report', good)
        assert status == 200 and '>saxpy</h2>' in text and 'Bytes between the levels' in text
        status, text, _ = ask(port, 'POST', '/report', {'source': star, 'language': 'json', 'vary': 'threads=256,512'})
        assert status == 200 and 'configurations</h2>' in text, text[:300]
        # What is wrong is said, as plain text.
        for wrong, said in (({'source': ''}, 'source'), ({'grid': '0'}, 'grid'), ({'device': '/etc/passwd'}, 'name'),
                            ({'device': '../x.json'}, 'name'), ({'kernel': '<script>'}, 'kernel'), ({'arguments': 'x=1'}, 'x'),
                            ({'source': '<script>alert(1)</script>'}, ''), ({'device': 'no_such'}, 'no_such'),
                            ({'vary': 'nonsense'}, '')):
            status, text, headers = ask(port, 'POST', '/report', {**good, **wrong})
            assert status in (422, 500) and said in text, (wrong, status, text)
            assert headers['Content-Type'].startswith('text/plain') and headers['X-Content-Type-Options'] == 'nosniff'
        # Other sites' pages and names are refused.
        assert ask(port, headers={'Host': 'evil.example'})[0] == 403
        assert ask(port, 'POST', '/report', good, headers={'Origin': 'http://evil.example'})[0] == 403
        assert ask(port, 'POST', '/report', good, headers={'Origin': f'http://127.0.0.1:{port}'})[0] == 200
        assert ask(port, path='/../../etc/passwd')[0] == 404
        assert ask(port, 'DELETE', '/report')[0] == 404
        # Sizes, and requests that are none.
        assert ask(port, 'POST', '/report', {**good, 'source': b'a' * (3 << 20)})[0] == 413
        assert ask(port, 'POST', '/report', {**good, 'source': b'a' * (5 << 18)})[0] == 413
        hostile = [b'GET / HTTP/1.1\r\n\r\n', b'\x00\xff' * 500, b'POST /report HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
                   b'GET /' + b'a' * 100000 + b' HTTP/1.1\r\n\r\n',
                   f'POST /report HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 10\r\n\r\n'.encode(),
                   f'POST /report HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: multipart/form-data\r\n'
                   'Content-Length: 4\r\n\r\nabcd'.encode()]
        idle = [socket.create_connection(('127.0.0.1', port)) for _ in range(8)]  # that say nothing
        for data in hostile[:4] + hostile[5:]:
            raw(port, data)
        with socket.create_connection(('127.0.0.1', port)) as half:
            half.sendall(hostile[4] + b'abc')
            assert ask(port)[0] == 200
        for connection in idle:
            connection.close()
        # Many requests, one in ten hostile: no growth.
        for _ in range(30):
            ask(port, 'POST', '/report', good)
        before = memory(server)
        for i in range(600):
            if i % 10 == 0:
                raw(port, hostile[i // 10 % 4])
            elif i % 60 == 1:
                assert ask(port, 'POST', '/report', good)[0] == 200
            else:
                assert ask(port)[0] == 200
        assert memory(server) < before + 16384, (before, memory(server))
        assert server.poll() is None
    finally:
        server.send_signal(signal.SIGTERM)
        for _ in range(100):
            if server.poll() is not None:
                break
            time.sleep(0.1)
        else:
            server.kill()
    assert server.wait() == 0, (server.returncode, server.stderr.read())


if __name__ == '__main__':
    main()
