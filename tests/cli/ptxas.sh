# Resources from ptxas: a false one, so that the answer is the same on every machine.
cd "$SOURCE/tests/golden/kernels"
here=$(dirname "$XDG_CACHE_HOME")
mkdir -p "$here/false"
PATH=$here/false:$PATH
saxpy="saxpy.ptx -g 4 -b 256 -s 3=1000"
ptxas() {
    printf '#!/bin/sh\n%s\n' "$1" >"$here/false/ptxas.new"
    chmod +x "$here/false/ptxas.new"
    mv "$here/false/ptxas.new" "$here/false/ptxas"
}
good() {
    ptxas "case \$1 in --version) echo 'release 1.2, V1.2.3';; *) cat <<'END'
ptxas info    : Compiling entry function 'saxpy' for 'sm_90'
ptxas info    : Function properties for saxpy
    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads
ptxas info    : Used $1 registers, used 1 barriers, 2048 bytes smem
END
esac"
}
resources() {
    run "$@" --json | python3 -c '
import json, sys
said = sys.stdin.read()
print(said[:said.index("\n")])
errors, brace, rest = said[said.index("\n") + 1:].partition("{\n") # errors are lines of JSON, too
print(errors, end="")
kernel = json.loads(brace + rest[:rest.rindex("}") + 1])["kernel"]
print({name: kernel[name] for name in kernel if name in (
    "registers", "registers_source", "assembler", "stack_bytes", "spill_store_bytes", "spill_load_bytes",
    "static_shared_bytes")})'
}
good 40
# By itself it is not run for PTX; asked for it is.  That its answer is in the cache then changes no
# other answer: the whole page is the same with an empty cache and a filled one.
forewarp predict $saxpy -d h200 -m traffic >"$here/empty"
resources forewarp count $saxpy
resources forewarp count $saxpy --ptxas=always
forewarp predict $saxpy -d h200 -m traffic --ptxas=always | grep resources
forewarp predict $saxpy -d h200 -m traffic | diff "$here/empty" - && echo same
resources forewarp count $saxpy
resources forewarp predict $saxpy -d h200 -m traffic
resources forewarp predict $saxpy -d h200 -m traffic --ptxas never
# Another device is another question, and so is another ptxas.
resources forewarp predict $saxpy -d a100 -m traffic
good 168
resources forewarp count $saxpy
run forewarp predict $saxpy -d h200 -m traffic --ptxas=always
# It fails, speaks of something else, or says what cannot be.
ptxas 'echo "ptxas info : hello"; echo "ptxas fatal   : Unsupported .version 99.9; current version is 1.2"; exit 255'
resources forewarp count $saxpy --ptxas=always
ptxas 'echo ok'
resources forewarp count $saxpy --ptxas=always
ptxas 'kill -SEGV $$'
resources forewarp count $saxpy --ptxas=always
good 4096
resources forewarp count $saxpy --ptxas=always
# PTX for a later device cannot be assembled for this one.
resources forewarp predict $saxpy -d a100 -m traffic --ptxas=always
run forewarp count $saxpy --ptxas=sometimes
