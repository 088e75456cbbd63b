"""Prints the speed of translate-toolkit for one file in MB/s: formats.py FORMAT FILE."""
import sys
import time

NAMES = {
    'json': ('jsonl10n', 'JsonFile'), 'json-nested': ('jsonl10n', 'JsonNestedFile'),
    'webextension': ('jsonl10n', 'WebExtensionJsonFile'), 'i18next': ('jsonl10n', 'I18NextFile'),
    'i18nextv4': ('jsonl10n', 'I18NextV4File'), 'arb': ('jsonl10n', 'ARBJsonFile'),
    'formatjs': ('jsonl10n', 'FormatJSJsonFile'), 'go-i18n-json': ('jsonl10n', 'GoI18NJsonFile'),
    'go-i18n-json-v2': ('jsonl10n', 'GoI18NV2JsonFile'), 'gotext': ('jsonl10n', 'GoTextJsonFile'),
    'resjson': ('jsonl10n', 'RESJSONFile'), 'aresource': ('aresource', 'AndroidResourceFile'),
    'strings-utf8': ('properties', 'stringsutf8file'), 'properties': ('properties', 'javafile'),
    'properties-utf8': ('properties', 'javautf8file'), 'yaml': ('yaml', 'YAMLFile'),
    'ruby-yaml': ('yaml', 'RubyYAMLFile'), 'resx': ('resx', 'RESXFile'), 'fluent': ('fluent', 'FluentFile'),
    'po': ('po', 'pofile'), 'po-mono': ('po', 'pofile'), 'xliff': ('xliff', 'xlifffile'), 'xliff2': ('xliff2', 'Xliff2File'),
    'ts': ('ts2', 'tsfile'),
}

BILINGUAL = ('po', 'po-mono', 'xliff', 'xliff2', 'ts')


def main(name, path):
    module, kind = NAMES[name]
    store = getattr(__import__('translate.storage.' + module, fromlist=[kind]), kind)
    with open(path, 'rb') as handle:
        content = handle.read()
    best = float('inf')
    for _ in range(2):
        start = time.process_time()
        parsed = store()
        if name in ('i18nextv4', 'aresource'):
            parsed.settargetlanguage('en')
        parsed.parse(content)
        for unit in parsed.units:
            # The fields of an entry of a bilingual file, which some classes only read when they are asked.
            if name in BILINGUAL and not unit.isheader():
                (unit.getid(), unit.source, unit.target, unit.isfuzzy(), unit.getlocations(), unit.getnotes())
        best = min(best, time.process_time() - start)
    print(len(content) / 1e6 / best)


main(*sys.argv[1:])
