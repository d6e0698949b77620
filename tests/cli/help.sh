# Help, and what is made from the same table.
run forewarp --help
run forewarp count --help
run forewarp predict --help
run forewarp emulate --help
run forewarp device --help
run forewarp --version
bash -n <(forewarp --completion-script) && echo completion is bash
forewarp --manual-page | grep -c '^\.TP'
