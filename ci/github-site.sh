#!/bin/sh
# Runs `gitglot site` in GitHub Actions, for a later step that publishes the directory. action.yml sets the INPUT_
# variables; all of them may be empty.
set -eu

# The configuration file may run a credential helper: a site is for commits that the maintainers have accepted.
event=${GITHUB_EVENT_NAME:-}
# After the workflow of a pull request, the job may have checked out its head.
if [ "$event" = workflow_run ] && ! grep -q '"event": *"\(push\|schedule\|workflow_dispatch\|release\)"' \
    "${GITHUB_EVENT_PATH:-}"; then
    event=pull_request
fi
case $event in
    pull_request*)
        echo "::error::A site is not written for a pull request, which could change the configuration file." \
            "Run this job on push, and check pull requests without 'site: true'." >&2
        exit 1
        ;;
esac

directory=${INPUT_SITE_DIRECTORY:-public}
set -- site
if [ -n "${INPUT_STRINGS:-}" ]; then
    set -- "$@" --strings "$INPUT_STRINGS"
fi
if [ -n "${INPUT_CHANGES:-}" ]; then
    set -- "$@" --changes "$INPUT_CHANGES"
fi
if [ "${INPUT_API:-}" = true ]; then
    set -- "$@" --api
fi
if [ "${INPUT_EXPORTS:-}" = true ]; then
    set -- "$@" --exports
fi
if [ -n "${INPUT_BASE_URL:-}" ]; then
    set -- "$@" --base-url "$INPUT_BASE_URL"
fi
if [ -n "${INPUT_STATE_DIRECTORY:-}" ]; then
    set -- "$@" --state-dir "$INPUT_STATE_DIRECTORY"
fi
if [ -n "${INPUT_CONFIG:-}" ]; then
    set -- "$@" --config "$INPUT_CONFIG" -- "$directory"
elif [ -f gitglot.toml ] && grep -q '^[[:space:]]*\[\[project' gitglot.toml; then
    # A file with settings of the check only has no project: its components are detected.
    set -- "$@" --config gitglot.toml -- "$directory"
else
    set -- "$@" -- . "$directory"
fi
gitglot "$@"

if [ -n "${GITHUB_OUTPUT:-}" ]; then
    echo "site=$directory" >> "$GITHUB_OUTPUT"
fi
