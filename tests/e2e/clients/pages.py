"""Pages through units and changes with the generated client, and follows the log; prints numbers and totals of ids."""

import sys

from gitglot_client import Client
from gitglot_client.api.changes import list_changes
from gitglot_client.api.revisions import compare_revisions, list_units_of_revision
from gitglot_client.api.units import list_units
from gitglot_client.models import PageChange, PageUnit

client = Client(base_url=sys.argv[1])
for operation, kind in ((list_units, PageUnit), (list_changes, PageChange)):
    found, number, more = [], 1, True
    while more:
        page = operation.sync(client=client, page=number, page_size=100)
        assert isinstance(page, kind), page
        found += page.results
        more = page.next_ is not None
        number += 1
    assert len(found) == page.count
    print(len(found), sum(entry.id for entry in found))

# Follows the log from its beginning: each answer has the entries after the last one.
found = []
while entries := list_changes.sync(client=client, id_after=found[-1] if found else 0, page_size=7).results:
    found += [entry.id for entry in entries]
print(len(found), sum(found))

# A component at a revision, and a comparison.
component = ("reading-lamp", "extension")
units = list_units_of_revision.sync(*component, "HEAD", client=client, page_size=1000)
report = compare_revisions.sync(*component, "HEAD...HEAD", client=client, page_size=1)
print(units.count, report.count)
