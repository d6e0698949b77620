#!/usr/bin/env bash
# include/forewarp.h compiles alone, strictly, as C and as C++, with every compiler that is there.
# usage: header.sh SOURCE
set -u
header=$1/include/forewarp.h
strict="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wcast-qual -Werror -fsyntax-only"
failed=0
tried=0
for compiler in "gcc -std=c99 -Wstrict-prototypes" "gcc -std=c17 -Wstrict-prototypes" \
    "clang -std=c17 -Wstrict-prototypes" "g++ -std=c++11" "g++ -std=c++20" "clang++ -std=c++11" "clang++ -std=c++20"; do
    command -v "${compiler%% *}" >/dev/null || { echo "${compiler%% *} is not here: not tried"; continue; }
    case $compiler in *++*) language=c++ ;; *) language=c ;; esac
    tried=$((tried + 1))
    $compiler $strict -x $language "$header" -Wno-pragma-once-outside-header ||
        { echo "FAILED: $compiler"; failed=1; }
done
echo "$tried compilers tried"
[ "$tried" -gt 0 ] && [ "$failed" -eq 0 ]
