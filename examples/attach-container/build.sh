#!/bin/sh
# Makes the image kprobe-example:1 of this machine's busybox, without a registry.
set -eu
folder=$(dirname "$0")
root=$(mktemp -d)
trap 'rm -r "$root"' EXIT
mkdir "$root/bin" "$root/tmp"
cp -L "$(command -v busybox)" "$root/bin/busybox"
for name in $(busybox --list | grep -vx busybox); do ln -s busybox "$root/bin/$name"; done
cp "$folder/serve.sh" "$root/bin/serve.sh"
tar -C "$root" -c . | docker import --change 'ENV PATH=/bin' - kprobe-example:1 >/dev/null
