# Positions that wrap around: their addresses in closed form, and none of them said to leave 32 bits.
rings=$SOURCE/tests/golden/rings/rings.ptx
addresses() {
    forewarp count "$rings" -k "$1" -g 2 -b 64 -s 2=23 -s 3=7 -s 4=3 --dump=record | grep -m 1 'load global'
}
for kernel in by_bits by_remainder by_comparison by_equality by_argument less_argument falling_by_two flipped \
    stage_and_phase turns in_bytes starts_outside; do
    echo "$kernel: $(addresses $kernel)"
done
taken_for_granted() {
    forewarp count "$rings" -k "$1" -g 2 -b 64 -s 2=23 -s 3="$2" -s 4=3 | grep -A 1 -e '^Taken' -e '^Not known'
}
for kernel in by_bits by_unsigned_remainder by_comparison by_argument falling stage_and_phase in_bytes; do
    run taken_for_granted $kernel 7
done
# A ring of no length.
export -f taken_for_granted; export rings
run taken_for_granted less_argument 0
run taken_for_granted less_argument -3
