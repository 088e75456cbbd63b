#!/bin/sh
# Installs gitglot: a released binary if there is one for this machine, else a build with cargo.
# Usage: install.sh REPOSITORY VERSION SOURCE, such as install.sh acme/gitglot v1.0.0 /path/to/source.
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
    # Static programs, which run on every Linux.
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64) target=aarch64-unknown-linux-musl ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) target= ;;
esac
# packaging/archive names the archives.
name=gitglot-${version#v}-$target
url=${GITGLOT_RELEASES:-https://github.com/$repository/releases/download}/$version/$name.tar.gz
fetch() {
    curl -fsSL --retry 3 -o "$folder/$name.$1" "${url%.tar.gz}.$1"
}
if [ -n "$target" ] && [ -n "$version" ] && fetch tar.gz && fetch tar.gz.sha256; then
    cd "$folder"
    if command -v sha256sum > /dev/null; then
        sha256sum -c "$name.tar.gz.sha256"
    else
        shasum -a 256 -c "$name.tar.gz.sha256"
    fi
    tar -xzf "$name.tar.gz" --strip-components=1 "$name/gitglot"
else
    echo "there is no released binary for this machine: building gitglot with cargo"
    cargo install --locked --path "$source" --root "$folder"
    mv "$folder/bin/gitglot" "$folder/gitglot"
fi
if [ -n "${GITHUB_PATH:-}" ]; then
    echo "$folder" >> "$GITHUB_PATH"
fi
"$folder/gitglot" --version
