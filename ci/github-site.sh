#!/bin/sh
# Runs `gitglot site` in GitHub Actions, for a later step that publishes the directory. action.yml sets the INPUT_
# variables; all of them may be empty.
set -eu

directory=${INPUT_SITE_DIRECTORY:-public}
set -- site
if [ -n "${INPUT_STRINGS:-}" ]; then
    set -- "$@" --strings "$INPUT_STRINGS"
fi
if [ -n "${INPUT_BASE_URL:-}" ]; then
    set -- "$@" --base-url "$INPUT_BASE_URL"
fi
if [ -n "${INPUT_CONFIG:-}" ]; then
    set -- "$@" --config "$INPUT_CONFIG" -- "$directory"
elif [ -f gitglot.toml ]; then
    set -- "$@" --config gitglot.toml -- "$directory"
else
    set -- "$@" -- . "$directory"
fi
gitglot "$@"

if [ -n "${GITHUB_OUTPUT:-}" ]; then
    echo "site=$directory" >> "$GITHUB_OUTPUT"
fi
