#!/usr/bin/env python3
"""Writes cldr.txt, the words of English names of languages, countries and scripts.

    npm pack cldr-localenames-full && tar xzf cldr-localenames-full-*.tgz
    python3 make.py package
"""

import json
import pathlib
import re
import sys

# Separators between words in the `same` check, as in ../same.rs.
SIGNS = re.compile("[ -#%-@\\[-`{-~\r\n\u2011\u2014\u2026\u2713]+")

words = set()
for kind in ("languages", "scripts", "territories"):
    path = pathlib.Path(sys.argv[1], "main", "en", kind + ".json")
    names = json.loads(path.read_text())["main"]["en"]["localeDisplayNames"][kind]
    for name in names.values():
        words.update(word for word in SIGNS.split(name.lower()) if len(word) > 2)

# The order of UTF-8 bytes, in which the program searches.
lines = sorted(words, key=str.encode)
pathlib.Path(__file__).with_name("cldr.txt").write_text("".join(word + "\n" for word in lines))
