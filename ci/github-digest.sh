#!/bin/sh
# Keeps issues with the work of translators in GitHub Actions: one for each language, or one for all. Issues are
# updated, and closed when nothing is left. action.yml sets the INPUT_ variables; all of them may be empty. Needs gh,
# and GH_TOKEN with the permission issues: write.
set -eu

case ${GITHUB_EVENT_NAME:-} in
    pull_request*)
        echo "::error::A digest is not written for a pull request. Run this job on push or on a schedule." >&2
        exit 1
        ;;
esac

label=gitglot
folder=${RUNNER_TEMP:-/tmp}/gitglot-digest
rm -rf "$folder"
mkdir -p "$folder"

set -- digest --split "$folder"
if [ -n "${INPUT_DIGEST_SINCE:-}" ]; then
    set -- "$@" --since "$INPUT_DIGEST_SINCE"
fi
if [ -n "${INPUT_CONFIG:-}" ]; then
    set -- "$@" --config "$INPUT_CONFIG"
fi
gitglot "$@"

if [ "${INPUT_DIGEST_ISSUES:-language}" = all ]; then
    all=$folder.md
    cat "$folder"/*.md > "$all" 2>/dev/null || true
    rm -f "$folder"/*.md
    if [ -s "$all" ]; then
        mv "$all" "$folder/all languages.md"
    fi
fi

gh label create "$label" --description "Work of translators" --force > /dev/null
open=$folder.open
gh issue list --label "$label" --state open --limit 1000 --json number,title \
    --jq '.[] | "\(.number) \(.title)"' > "$open"

# The issues whose work is done.
while read -r number title; do
    name=${title#"Translation work: "}
    if [ "$name" != "$title" ] && [ ! -f "$folder/$name.md" ]; then
        gh issue close "$number" --comment "Nothing is left."
    fi
done < "$open"

for body in "$folder"/*.md; do
    [ -f "$body" ] || continue
    name=$(basename "$body" .md)
    title="Translation work: $name"
    # An issue has at most 65,536 characters: whole lines with at most 60,000 bytes.
    LC_ALL=C awk '{ size += length($0) + 1 } size > 60000 { exit } { print }' "$body" > "$folder.body"
    number=$(while read -r number known; do
        if [ "$known" = "$title" ]; then
            echo "$number"
            break
        fi
    done < "$open")
    if [ -n "$number" ]; then
        gh issue edit "$number" --body-file "$folder.body" > /dev/null
    else
        gh issue create --title "$title" --label "$label" --body-file "$folder.body" > /dev/null
    fi
done
