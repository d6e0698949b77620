# Profiles.
run forewarp device list
forewarp device show v100 | head -12
forewarp device show v100 --json | head -4
# Where profiles are looked for.
mkdir -p data/profiles
cp "$SOURCE/profiles/v100.json" data/profiles/mine.json
FOREWARP_DATA=$PWD/data run forewarp device list

# One that cannot be read is told; the others are listed.
echo '{' >data/profiles/bad.json
FOREWARP_DATA=$PWD/data run forewarp device list
