#!/bin/sh
# Installs gitglot: a released binary if there is one for this machine, else a build with cargo.
# Usage: install.sh REPOSITORY VERSION SOURCE, such as install.sh OWNER/gitglot v1.0.0 /path/to/source.
set -eu

repository=$1
version=$2
source=$3
folder=${RUNNER_TEMP:-/tmp}/gitglot-bin
mkdir -p "$folder"

if command -v gitglot > /dev/null; then
    gitglot --version
    exit 0
fi

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64) target=aarch64-unknown-linux-gnu ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) target= ;;
esac
url=https://github.com/$repository/releases/download/$version/gitglot-$target.tar.gz
if [ -n "$target" ] && [ -n "$version" ] && curl -fsSL --retry 3 -o "$folder/gitglot.tar.gz" "$url"; then
    tar -xzf "$folder/gitglot.tar.gz" -C "$folder"
else
    echo "there is no released binary for this machine: building gitglot with cargo"
    cargo install --locked --path "$source" --root "$folder"
    mv "$folder/bin/gitglot" "$folder/gitglot"
fi
if [ -n "${GITHUB_PATH:-}" ]; then
    echo "$folder" >> "$GITHUB_PATH"
fi
"$folder/gitglot" --version
