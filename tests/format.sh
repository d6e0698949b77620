#!/usr/bin/env bash
# The C sources are formatted as .clang-format says.  usage: format.sh SOURCE
#
# Exits with 77 (skipped) where clang-format 14, the version of Debian 12, is not installed: other
# versions format differently.
# To format the tree:  git ls-files '*.[ch]' ':!data' | xargs clang-format-14 -i
set -u
cd "$1" || exit 1
program=
for candidate in clang-format-14 clang-format; do
    version=$("$candidate" --version 2>/dev/null) || continue
    case $version in *"version 14."*) program=$candidate; break ;; esac
done
if [ -z "$program" ]; then
    echo "SKIPPED: clang-format 14 is not installed; THE FORMAT OF NO SOURCE FILE WAS CHECKED"
    exit 77
fi
files=$(find src cli include tests bench -name '*.[ch]' | LC_ALL=C sort)
bad=$(echo "$files" | xargs "$program" --dry-run 2>&1 |
    sed -n 's/^\([^:]*\):\([0-9]*\):.*\[-Wclang-format-violations\]$/\1/p' | LC_ALL=C sort | uniq -c)
[ -z "$bad" ] || { echo "FAILED: places that clang-format would change, and their file:"; echo "$bad"; }
echo "$(echo "$files" | wc -l) files checked"
[ -n "$files" ] && [ -z "$bad" ]
