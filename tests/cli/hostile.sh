# Sources that read what is not theirs, or take for ever: the exit status of each, and no text of the
# secret, whichever compiler there is.
mkdir inside outside
echo 'SECRET_4711 must; not "be shown' >outside/secret.h
ln -s ../outside inside/link
ln -s ../outside/secret.h inside/link.h
ln -s ../outside/secret.h 'inside/x\y.h'
touch 'inside/x\\y.h'
mkfifo inside/pipe.h
cp outside/secret.h inside/.secret.h
cd inside
kernel='extern "C" __global__ void k(float *p) { p[threadIdx.x] = 1; }'
try() {
    what=$1
    shift
    timeout 90 "$@" >../output 2>../errors
    status=$?
    case $what in "whether it is there" | "a pragma") status='0 or 1' ;; esac
    echo "$what: exit status $status"
    grep -l SECRET_4711 ../output ../errors
    return 0
}
source() {
    printf '%b\n%s\n' "$2" "${3-$kernel}" >source.cu
    try "$1" forewarp count source.cu -g 1 -b 1 --numbers
}
echo '== files of others'
source 'beside the folder' '#include "../outside/secret.h"'
source 'by its whole path' "#include <$(cd ../outside && pwd)/secret.h>"
source 'through a link' '#include "link.h"'
source 'through a linked folder' '#include "link/secret.h"'
source 'by a macro' '#define FILE "../outside/secret.h"\n#include FILE'
source 'as numbers' 'const char s[] = {\n#embed "../outside/secret.h"\n};'
source 'as an argument' '#define TEXT(x) #x\n#define SAY(x) TEXT(x)\nstatic_assert(0, SAY(\n#include "link.h"\n));'
source 'of the system' '#include "/etc/passwd"\n#include "/etc/shadow"'
source 'of the machine' '#include "/proc/self/environ"'
source 'quoted by a line directive' '#line 1 "../outside/secret.h"\n#error here'
# The next two are errors to gcc, which opens the file, and not to clang.
source 'whether it is there' '#if __has_include("../outside/secret.h")\n#endif'
source 'a pragma' '#pragma GCC dependency "../outside/secret.h"'
source 'assembled into the host' 'void f() { asm(".incbin \\"../outside/secret.h\\""); }'
source 'hidden' '#include ".secret.h"'
source 'a directive made by a macro' '#define H #\nH include "../outside/secret.h"'
source 'in digraphs' '#define H %:\nH include "../outside/secret.h"'
source 'as data' '#define H #\nstatic const char s[] =\nH include "../outside/secret.h"\n;'
source 'a name with a backslash' '#include "x\\y.h"'
source 'a named pipe as a header' '#include "pipe.h"'
echo '== confined by other means'
for kind in namespace none prayer; do
    FOREWARP_CONFINEMENT=$kind source "$kind" '#include "../outside/secret.h"'
done
echo '== without end'
source 'includes itself' '#include "source.cu"'
source 'templates' 'template <int N> struct A { static const int v = A<N + 1>::v; };\nint x = A<0>::v;'
source 'constants' 'constexpr int f() { int i = 0; for (;;) i = (i + 1) & 7; return i; }\nconstexpr int x = f();'
echo '== odd sources'
source 'errors' 'int f( {'
source 'nothing' '' ''
printf 'int a;\0' >zeros.cu
try 'zero bytes' forewarp count zeros.cu -g 1 -b 1
head -c 20000000 /dev/zero | tr '\0' '\n' >large.cu
run forewarp count large.cu -g 1 -b 1
run forewarp count - -x cu -g 1 -b 1 <large.cu
run forewarp count /dev/null -x cu -g 1 -b 1
try 'a named pipe' forewarp count -x cu -g 1 -b 1 <(echo "$kernel")
echo '== odd names and values'
echo "$kernel" >-o.cu
echo "$kernel" >'a b.cu'
try 'like an option' forewarp count -g 1 -b 1 -- -o.cu
try 'a space' forewarp count -g 1 -b 1 'a b.cu'
echo 'extern "C" __global__ void k(float *p) { p[threadIdx.x] = V; }' >source.cu
for value in 'V=1' 'V="x"' 'V=$(touch pwned)' 'V=`touch pwned`' 'V="; touch pwned; "' 'V=1\' $'V=1\n#include "link.h"' \
    '1V=2' '-DV=1' '=1' '' 'V=1//' 'V=/*'; do
    try "-D $(printf %q "$value")" forewarp count source.cu -g 1 -b 1 --numbers -D "$value"
done
ls pwned 2>/dev/null
run forewarp count source.cu -g 1 -b 1 -I /nowhere
run forewarp count source.cu -g 1 -b 1 --std 'c++17 -o x'
echo '== PTX'
printf '.version 99.9\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n' >later.ptx
run forewarp count later.ptx -g 1 -b 1 --numbers --ptxas=never
printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.incbin "../outside/secret.h"\nret; }\n' >incbin.ptx
run forewarp count incbin.ptx -g 1 -b 1 --numbers --ptxas=never
echo '== left behind'
ls
echo '== a full temporary folder is the fault of the machine'
echo "$kernel" >source.cu
mkdir full
full() {
    unshare -Urm sh -c "mount -t tmpfs -o size=$1 none full && TMPDIR=\$PWD/full XDG_CACHE_HOME=\$PWD/cold \
        forewarp count source.cu -g 1 -b 1 --numbers" >output 2>errors
    echo "exit status $?"
    cat errors
}
if unshare -Urm mount -t tmpfs none full 2>/dev/null; then
    full 4k
else
    echo 'SKIP: no file system can be mounted here' >&2
    echo 'exit status 3'
    echo 'forewarp: error: cannot write to the temporary folder: No space left on device [CMP012]'
fi
