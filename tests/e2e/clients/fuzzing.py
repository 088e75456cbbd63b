"""schemathesis: requests made from the OpenAPI document; no server error, and every answer is as the document says."""

import re

from harness import ClientStep

# Requests of each operation in each of the two runs; a run takes about ten seconds.
EXAMPLES = 15

# negative_data_rejection wants a 4xx for each parameter that is not as the document says. Weblate 3.4 passes over what
# it cannot read, as `?page_size=null` or `?format=`, and answers with 200; so does gitglot.
EXCLUDED = "negative_data_rejection"

# Its answer has no end.
ENDLESS = "/api/events/"

# Values that lead to what the demo has, so that not all answers are 404. Numbers begin at 1 in every list.
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
    command += ["--exclude-path", ENDLESS]
    # The same requests in every run.
    command += ["--seed", "1", "--generation-deterministic"]
    cases = 0
    for values in ("", REAL):
        (step.folder / "schemathesis.toml").write_text(values)
        told = step.run(*command).decode()
        cases += int(re.search(r"(\d+) generated", told).group(1))
    return f"schemathesis found nothing wrong in {cases} requests"
