#!/usr/bin/env python3
"""Compares gitglot with msgfmt, translate-toolkit, git log and its own memory for JSON, on bilingual files.

  benches/bilingual/run.py --program target/release/gitglot [--file-format po|xliff|ts] [--toolkit PYTHON] REPOSITORY MASK

Prints user time of reading and projecting the files at HEAD next to `msgfmt --statistics` (PO) and to reading them with
translate-toolkit (`--toolkit`, a Python with that package) on the same files, processor time of a start with the whole history
and of the history alone next to `git log -p` of the files, and for PO memory per unit next to a JSON component with the same
texts. Times of a start with a single string, and of Python with the imported module, are subtracted; from those of the history
alone, also those of the files at HEAD. Needs git, gettext and Python 3.
"""
import argparse
import fnmatch
import json
import os
import pathlib
import resource
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

TICK = os.sysconf('SC_CLK_TCK')
HEADER = ('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
          '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n')


def times_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime, used.ru_utime + used.ru_stime


def run(command, **options):
    """User and processor time of a command."""
    before = times_of_children()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    return [after - start for after, start in zip(times_of_children(), before)]


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def serve(program, repository, mask, file_format, history, template=None):
    """User time, processor time and resident bytes of a server that has read everything."""
    port = free_port()
    with tempfile.TemporaryDirectory() as state:
        command = [program, 'serve', str(repository), '--filemask', mask, '--file-format', file_format, '--history', history,
                   '--listen', '127.0.0.1:%d' % port, '--state-dir', state]
        if template:
            command += ['--template', template]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            url = 'http://127.0.0.1:%d/readyz' % port
            for _ in range(6000):
                if server.poll() is not None:
                    raise SystemExit('gitglot ended: ' + ' '.join(command))
                try:
                    if urllib.request.urlopen(url, timeout=5).status == 200:
                        break
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.05)
            stat = pathlib.Path('/proc/%d/stat' % server.pid).read_text().rsplit(')', 1)[1].split()
            user, system = int(stat[11]) / TICK, int(stat[12]) / TICK
            time.sleep(2)
            status = pathlib.Path('/proc/%d/status' % server.pid).read_text()
            resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith('VmRSS')) * 1024
            return user, user + system, resident
        finally:
            server.kill()
            server.wait()


def repository(folder, files):
    """A repository with one commit of these files."""
    folder.mkdir()
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding='utf-8')
    git = ['git', '-C', str(folder), '-c', 'user.name=Bench', '-c', 'user.email=bench@example.org']
    run(git + ['init', '-q', '-b', 'main'])
    run(git + ['add', '-A'])
    run(git + ['commit', '-q', '-m', 'Add texts'])
    return folder


def texts(number, language):
    return ('Choose the number %d of columns for the list of open files' % number,
            '%s: Vyberte počet %d sloupců seznamu otevřených souborů' % (language, number))


def memory(program, folder, strings, languages):
    """Resident bytes for the same texts in PO and JSON."""
    codes = ['cs', 'de', 'fr', 'es', 'it', 'pl', 'pt', 'ru', 'sv', 'uk', 'nl', 'da', 'fi', 'hu', 'ro', 'sk', 'sl', 'tr', 'el', 'bg'][:languages]
    po, plain = {}, {'l/en.json': json.dumps({'key%d' % n: texts(n, 'en')[0] for n in range(strings)}, indent=0)}
    for code in codes:
        entries = []
        for n in range(strings):
            source, target = texts(n, code)
            entries.append('#. Shown in the list number %d\n#: src/window%d.c:%d src/list.c:%d\n#, c-format\nmsgid "%s"\nmsgstr "%s"\n'
                           % (n, n % 50, n, n + 7, source, target))
        po['po/%s.po' % code] = HEADER + '\n'.join(entries)
        plain['l/%s.json' % code] = json.dumps({'key%d' % n: texts(n, code)[1] for n in range(strings)}, indent=0, ensure_ascii=False)
    of_po = serve(program, repository(folder / 'po', po), 'po/*.po', 'po', 'full')[2]
    of_json = serve(program, repository(folder / 'json', plain), 'l/*.json', 'json', 'full', 'l/en.json')[2]
    return of_po, of_json, strings * len(codes)


TOOLKIT = """
import sys
from translate.storage import po, poxliff, ts2, xliff
store = {'po': po.pofile, 'xliff': xliff.xlifffile, 'ts': ts2.tsfile}[sys.argv[1]]
for path in sys.argv[2:]:
    with open(path, 'rb') as file:
        try:
            units = store.parsestring(file.read()).units
        except Exception:
            continue
    sum(len(str(unit.target)) + unit.isfuzzy() + unit.istranslated() for unit in units if unit.source)
"""


def of_toolkit(python, file_format, files):
    """User time of reading files with translate-toolkit."""
    command = [python, '-c', TOOLKIT, file_format]
    return run(command + [str(file) for file in files])[0] - run(command)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', default='target/release/gitglot')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--file-format', default='po', choices=['po', 'xliff', 'ts'])
    parser.add_argument('--toolkit', metavar='PYTHON')
    parser.add_argument('repository')
    parser.add_argument('mask')
    options = parser.parse_args()
    git = ['git', '-C', options.repository]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tiny = repository(folder / 'tiny', {'po/cs.po': HEADER + 'msgid "a"\nmsgstr "b"\n', 'po/de.po': HEADER})
        listed = subprocess.run(git + ['ls-tree', '-r', '--name-only', 'HEAD'], check=True, capture_output=True, text=True)
        paths = [path for path in listed.stdout.splitlines() if fnmatch.fnmatch(path, options.mask)]
        files = []
        for number, path in enumerate(paths):
            files.append(folder / ('%d.%s' % (number, options.file_format)))
            files[-1].write_bytes(subprocess.run(git + ['show', 'HEAD:' + path], check=True, capture_output=True).stdout)

        def of_msgfmt():
            one = lambda file: run(['msgfmt', '--statistics', '-o', '/dev/null', str(file)])[0]
            return sum(map(one, files))

        def best(measure):
            return min(measure() for _ in range(options.rounds))

        start = [min(values) for values in zip(*(serve(options.program, tiny, 'po/*.po', 'po', 'none') for _ in range(options.rounds)))]
        user, tip = (min(values) for values in zip(*(
            serve(options.program, options.repository, options.mask, options.file_format, 'none')[:2] for _ in range(options.rounds))))
        own = user - start[0]
        print('%d files, %.1f MB: gitglot %.2f s of user time' % (len(files), sum(file.stat().st_size for file in files) / 1e6, own))
        if options.file_format == 'po':
            other = best(of_msgfmt)
            print('msgfmt %.2f s: %.2f' % (other, own / other))
        if options.toolkit:
            other = of_toolkit(options.toolkit, options.file_format, files)
            print('translate-toolkit %.2f s: %.1f x' % (other, other / own))
        whole = best(lambda: serve(options.program, options.repository, options.mask, options.file_format, 'full')[1])
        other = best(lambda: run(git + ['log', '-p', '--format=', 'HEAD', '--', ':(glob)' + options.mask])[1])
        for name, own in (('start with the history', whole - start[1]), ('history alone', whole - tip)):
            print('%s: gitglot %.2f s of processor time, git log -p %.2f s: %.2f' % (name, own, other, own / other))
        if options.file_format != 'po':
            return
        of_po, of_json, units = memory(options.program, folder, 5000, 20)
        po, plain = (of_po - start[2]) / units, (of_json - start[2]) / units
        print('memory of %d units: %.0f bytes each, as JSON %.0f bytes: %.2f' % (units, po, plain, po / plain))


main()
