"""Exports loaded into DuckDB and pandas: every table has the columns and values of the JSON lists."""

import urllib.request
from pathlib import Path

import harness
from harness import ClientStep, Origin, Skipped, configuration, numbered

HERE = Path(__file__).resolve().parent
TABLES = ["projects", "components", "languages", "translations", "sources", "units", "users", "changes"]
QUERY = {"units": "expand=details", "changes": "expand=details&removed=true"}


def download(base: str, path: str) -> bytes:
    with urllib.request.urlopen(base + path, timeout=60) as answer:
        return answer.read()


def export(step: ClientStep, kind: str, folder) -> None:
    """Runs `gitglot export` for the configuration in the step's directory."""
    command = [step.demo.program, "export", "--config", step.folder / "gitglot.toml", "--format", kind, folder]
    command += ["--state-dir", step.folder / "state", "--base-url", "http://127.0.0.1:8000", "--log-level", "error"]
    done = harness.run(command, 120)
    errors = done.stderr.decode(errors="replace")
    if "without Parquet" in errors:
        raise Skipped("the program was built without the feature parquet")
    assert done.returncode == 0, errors


def run(step: ClientStep) -> str:
    # DuckDB needs pytz for times with a zone.
    programs = step.environment("duckdb", "pandas", "polars", "pyarrow", "pytz")
    own, served = step.folder / "exported", step.folder / "served"
    origin = Origin(step.folder / "garden.git")
    origin.extend([numbered(0), numbered(1)])
    origin.push({"app/locales/en.json": '{"key0": "=1+1, \\"x\\"\\n{name}", "key9": "new…"}', "web/locales/de.json": None})
    (step.folder / "gitglot.toml").write_text(configuration([("app", origin.path), ("web", origin.path)]))
    for kind in ("parquet", "ndjson", "csv"):
        export(step, kind, own)
    files = sorted(path.name for path in own.iterdir())
    # The table of renames can be empty.
    wanted = [f"{name}.{kind}" for name in [*TABLES, "renames"] for kind in ("csv", "ndjson", "parquet")]
    assert files == sorted([*wanted, "SCHEMA.md"]), files
    assert (own / "SCHEMA.md").read_text() == (step.root / "docs" / "tables.md").read_text()

    served.mkdir()
    for name in TABLES:
        for kind in ("parquet", "ndjson", "csv"):
            query = f"format={kind}&csv=raw&{QUERY.get(name, '')}"
            (served / f"{name}.{kind}").write_bytes(download(step.demo.base, f"/api/{name}/?{query}"))
    found = step.run(programs / "python", HERE / "tables_check.py", step.root / "docs" / "exports.md", own, served, *TABLES)
    return f"DuckDB and pandas read {2 * len(TABLES)} tables with {found.decode().strip()} values, in three formats"
