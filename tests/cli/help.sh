# Help, and what is made from the same table.
run forewarp --help
run forewarp count --help
run forewarp predict --help
run forewarp emulate --help
run forewarp device --help
run forewarp --version
bash -n <(forewarp --completion-script) && echo completion is bash
forewarp --manual-page | grep -c '^\.TP'
run forewarp report --help
run forewarp calibrate --help
# No line of any help is longer than 80 columns.
for command in "" $(forewarp --help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    forewarp $command --help | awk -v command="$command" 'length > 80 {print command ": " $0}'
done
