"""Compares exported tables in DuckDB, pandas, polars and pyarrow with the JSON lines next to them; prints the number of values.

    tables_check.py GUIDE FOLDER FOLDER TABLE...
"""

import datetime
import json
import sys
from pathlib import Path

import duckdb
import pandas
import pyarrow.parquet

# Joins of the documentation: table, column, and table and column that it refers to.
KEYS = [
    ("components", "project_url", "projects", "url"),
    ("translations", "language__code", "languages", "code"),
    ("translations", "component_url", "components", "url"),
    ("units", "translation", "translations", "url"),
    ("units", "source_info", "sources", "url"),
    ("units", "details_language", "languages", "code"),
    ("changes", "component", "components", "url"),
    ("changes", "author", "users", "id"),
]


def flat(entry: dict, prefix: str = "", taken: frozenset = frozenset()) -> dict:
    """The values of an object, nested ones with the name of the outer field as prefix."""
    found, own = {}, taken | {prefix + name for name in entry}
    for name, value in entry.items():
        full = f"{prefix}_{name}" if prefix + name in taken else prefix + name
        found |= flat(value, f"{full}_", own) if isinstance(value, dict) else {full: value}
    return found


def typed(value, sample):
    """A JSON value as Parquet has it."""
    if isinstance(sample, datetime.datetime) and value is not None:
        return datetime.datetime.fromisoformat(value).astimezone(datetime.timezone.utc)
    return value


def blocks(guide: Path, language: str) -> "list[str]":
    """The code blocks of a language."""
    after = guide.read_text().split("```" + language)[1:]
    return [block.partition("\n")[2].split("```")[0] for block in after]


def compare(guide: Path, folder: Path, tables: "list[str]") -> int:
    """Compares the files of a directory; how many values there were."""
    count, lines = 0, {name: (folder / f"{name}.ndjson").read_bytes() for name in tables}
    for name in tables:
        rows = [flat(json.loads(line)) for line in lines[name].splitlines()]
        file = pyarrow.parquet.read_table(folder / f"{name}.parquet")
        assert rows, name
        assert file.column_names == list(rows[0]), (name, file.column_names)
        for found, wanted in zip(file.to_pylist(), rows, strict=True):
            expected = {column: typed(value, found[column]) for column, value in wanted.items()}
            assert found == expected, f"{name}: {found} instead of {expected}"
            count += len(found)
        frame = pandas.read_parquet(folder / f"{name}.parquet")
        assert list(frame.columns) == file.column_names and len(frame) == len(rows)
        assert len(pandas.read_json(folder / f"{name}.ndjson", lines=True)) == len(rows)
        table = pandas.read_csv(folder / f"{name}.csv", keep_default_na=False)
        assert list(table.columns) == file.column_names and len(table) == len(rows)
        if name == "units":
            assert list(table.target) == list(frame.target) == [row["target"] for row in rows]
    with duckdb.connect() as database:
        for name in tables:
            database.execute(f"CREATE TABLE {name} AS FROM '{folder}/{name}.parquet'")
            for kind in ("ndjson", "csv"):
                reader = f"read_{'json' if kind == 'ndjson' else 'csv'}"
                source = f"{reader}('{folder}/{name}.{kind}')"
                [found] = database.execute(f"SELECT count(*) FROM {source}").fetchone()
                assert found == lines[name].count(b"\n"), (name, kind, found)
        for table, column, other, key in KEYS:
            query = f"SELECT count(*) FROM {table} LEFT JOIN {other} ON {table}.{column} = {other}.{key} "
            query += f"WHERE {other}.{key} IS NULL AND {table}.{column} IS NOT NULL"
            [missing] = database.execute(query).fetchone()
            assert missing == 0, f"{missing} rows of {table}.{column} refer to nothing"
        examples = ";".join(blocks(guide, "sql"))
        for query in filter(str.strip, examples.replace("data/", f"{folder}/").split(";")):
            database.execute(query).fetchall()
    for example in blocks(guide, "python"):
        exec(example.replace("data/", f"{folder}/").replace("print(", "len("), {})
    return count


guide, own, served, *names = sys.argv[1:]
print(f"{sum(compare(Path(guide), Path(folder), names) for folder in (own, served)):,}")
