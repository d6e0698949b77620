# Cardinalities of sets.
run forewarp count -x set '[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }'
run forewarp count -x set '[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }' -s n=100
run forewarp count -x set '[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }' -s n=2G --json
echo '{ [i] : 0 <= 3i < 100 }' >thirds.set
run forewarp count -x set thirds.set
run forewarp count -x set - <thirds.set
run forewarp count -x set '[n] -> { [i] : 0 <= i < n }' -s m=4
run forewarp count -x set '[n] -> { [i] : 0 <= i < n }' -s n=x
run forewarp count -x set '{ [i] : i >= 0 }'
run forewarp count -x set '{ [i : i }'
run forewarp count -x set missing.set
