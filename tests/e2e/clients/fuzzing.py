"""schemathesis: requests generated from the OpenAPI document; no server errors, and only documented responses."""

import re

from harness import ClientStep

# Requests of each operation in each of the two runs; a run takes about ten seconds.
EXAMPLES = 15

# negative_data_rejection expects a 4xx for each invalid parameter. Weblate 3.4 ignores invalid parameters such as
# `?page_size=null` or `?format=` and responds with 200, and so does gitglot.
EXCLUDED = "negative_data_rejection"

# Its response never ends.
ENDLESS = "/api/events/"

# These accept any method, as in Weblate, which OpenAPI cannot express.
ANY_METHOD = "^/hooks/update/"

# Values that exist in the demo, so that not all responses are 404. Ids start at 1 in every list.
REAL = """
[parameters]
"path.project" = "reading-lamp"
"path.component" = "extension"
"path.language" = "cs"
"path.code" = "cs"
"path.id" = 1
"""


def run(step: ClientStep) -> str:
    programs = step.environment("schemathesis")
    document = step.root / "openapi" / "openapi.json"
    command = [programs / "schemathesis", "--config-file", "schemathesis.toml", "run", document]
    command += ["--url", step.demo.base, "--phases", "examples,coverage,fuzzing", "--checks", "all"]
    command += ["--exclude-checks", EXCLUDED, "--max-examples", EXAMPLES, "--no-color", "--warnings", "off"]
    command += ["--exclude-path", ENDLESS, "--exclude-path-regex", ANY_METHOD]
    # The same requests in every run.
    command += ["--seed", "1", "--generation-deterministic"]
    cases = 0
    for values in ("", REAL):
        (step.folder / "schemathesis.toml").write_text(values)
        output = step.run(*command).decode()
        cases += int(re.search(r"(\d+) generated", output).group(1))
    return f"schemathesis finds no problem in {cases} requests"
