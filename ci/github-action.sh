#!/bin/sh
# Runs `gitglot check` in GitHub Actions: annotations on standard output, a job summary, and outputs for later steps.
# action.yml sets the INPUT_ variables; all of them may be empty.
set -eu

report=${RUNNER_TEMP:-/tmp}/gitglot-report
mkdir -p "$report"

set -- check --format github --write "markdown:$report/report.md" --write "json:$report/report.json" \
    --write "sarif:$report/report.sarif"
base=${INPUT_BASE:-}
if [ -z "$base" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then
    base=origin/$GITHUB_BASE_REF
fi
if [ -n "$base" ]; then
    set -- "$@" --base "$base" --page "$report/comparison.html"
    if [ "${INPUT_NEW_ONLY:-true}" = true ]; then
        set -- "$@" --new-only
    fi
fi
if [ -n "${INPUT_FAIL_ON:-}" ]; then
    set -- "$@" --fail-on "$INPUT_FAIL_ON"
fi
if [ -n "${INPUT_FAIL_UNDER:-}" ]; then
    set -- "$@" --fail-under "$INPUT_FAIL_UNDER"
fi
if [ -n "${INPUT_CONFIG:-}" ]; then
    set -- "$@" --config "$INPUT_CONFIG"
fi

commit=$(git rev-parse HEAD 2>/dev/null || true)
if [ -n "$commit" ] && [ -n "${GITHUB_SERVER_URL:-}" ] && [ -n "${GITHUB_REPOSITORY:-}" ]; then
    set -- "$@" --file-url "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/blob/$commit/{path}#L{line}"
fi

rm -f "$report/report.md" "$report/comparison.html"
status=0
gitglot "$@" || status=$?

if [ -n "${GITHUB_OUTPUT:-}" ]; then
    {
        echo "status=$status"
        echo "report=$report"
    } >> "$GITHUB_OUTPUT"
fi
if [ -f "$report/report.md" ]; then
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
        # A summary has at most 1 MiB.
        head -c 1000000 "$report/report.md" >> "$GITHUB_STEP_SUMMARY"
    fi
    if [ -n "${GITHUB_OUTPUT:-}" ]; then
        # A comment has at most 65,536 characters. The delimiter must not occur in the text.
        delimiter=gitglot-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
        {
            echo "comment<<$delimiter"
            head -c 60000 "$report/report.md"
            echo
            echo "$delimiter"
        } >> "$GITHUB_OUTPUT"
    fi
fi
exit "$status"
