#!/usr/bin/env python3
"""The pages (*.md) are readable and lead somewhere.  usage: pages.py SOURCE

Checks that lines have at most 100 columns, that the pages, files and folders which a page names exist, that comments in
the sources name pages that exist, and that docs/README.md lists every page of docs/.  Lines that cannot be broken are
excepted: rows of a table, one word with its mark, and what a program prints (a code block that begins with `$`)."""
import os
import re
import sys

COLUMNS = 100
source = sys.argv[1]
SKIPPED = re.compile(r"(^|/)(\.git|build[^/]*|node_modules|subprojects)(/|$)")


def files(*endings):
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if not SKIPPED.search(name)]
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(folder, name), source)


def long_lines(text):
    """The numbers of the lines that are too long and could be broken."""
    output = fence = False
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            fence = not fence
            output = fence and lines[number].startswith("$ ")
        elif len(line) > COLUMNS and not output and not line.startswith("|") and not re.fullmatch(r"\W*\S+", line):
            yield number


def exists(name, page):
    return any(os.path.exists(os.path.join(source, base, name)) for base in (os.path.dirname(page), "", "docs"))


failed = checked = 0
for page in files(".md"):
    text = open(os.path.join(source, page)).read()
    checked += 1
    for number in long_lines(text):
        failed += 1
        print(f"FAILED: {page}:{number}: longer than {COLUMNS} columns")
    links = re.findall(r"\]\(([^)#:\s]+)[^)]*\)", text) + re.findall(r"`([\w./-]+\.md)`", text)
    links += re.findall(r"`((?:src|cli|include|tests|bench|data|scripts|kernels|profiles|docs)/[\w./-]*)`", text)
    for name in sorted(set(links)):
        if not exists(name, page):
            failed += 1
            print(f"FAILED: {page} names {name}, which does not exist")
index = open(os.path.join(source, "docs/README.md")).read()
for page in sorted(os.listdir(os.path.join(source, "docs"))):
    if page.endswith(".md") and page != "README.md" and f"]({page})" not in index:
        failed += 1
        print(f"FAILED: docs/README.md does not list {page}")
for path in files(".c", ".h", ".py", ".sh", ".build"):
    for name in re.findall(r"docs/[\w-]+\.md", open(os.path.join(source, path)).read()):
        if not exists(name, path):
            failed += 1
            print(f"FAILED: {path} names {name}, which does not exist")
print(checked, "pages checked,", failed, "failed")
sys.exit(1 if failed or not checked else 0)
