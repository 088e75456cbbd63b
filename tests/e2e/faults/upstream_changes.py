"""Changes to followed repositories: the last good state stays served, the failure is reported, and gitglot recovers."""

from pathlib import Path

from harness import git, numbered, Readers, remove, TestSite, until

PATHS = ["/api/units/?page_size=50", "/api/changes/?page_size=50", "/", "/api/components/"]


class UpstreamSite(TestSite):
    """A new repository, followed through one kind of address, and readers that must never see a failure."""

    def __init__(self, program: Path, folder: Path, kind: str, branch: "str | None" = "main"):
        super().__init__(program, folder, kind, [numbered(0)], interval="300ms")
        self.branch = branch

    def begin(self) -> None:
        self.gitglot.start()
        self.wait_shown()
        self.ids = self.gitglot.units()
        self.readers = Readers(self.gitglot, PATHS, threads=1).__enter__()

    def __exit__(self, *error) -> None:
        try:
            self.readers.__exit__(*error)
        finally:
            super().__exit__(*error)

    def restart(self) -> None:
        """Kills and restarts gitglot."""
        self.readers.__exit__(None, None, None)
        self.gitglot.kill()
        self.gitglot.start()
        self.readers = Readers(self.gitglot, PATHS, threads=1).__enter__()

    def shows_number(self, number: int) -> None:
        """Waits until both components show a number without failures; the ids must be unchanged."""
        self.number = number
        self.wait_shown(40)
        assert self.gitglot.units() == self.ids, "ids of units have changed"

    def reports(self, *words: str) -> str:
        """Waits until both components report a reason with these words, and returns it."""
        def failures():
            found = self.gitglot.failures()
            return len(found) == 2 and all(word in reason for reason in found.values() for word in words) and found
        try:
            return next(iter(until(f"a failure with {words}", failures, 20).values()))
        except AssertionError:
            raise AssertionError(f"no failure with {words}: {self.gitglot.failures()}; {self.gitglot.tail()}") from None


def force_push(site: UpstreamSite) -> "list[str]":
    first = site.origin.tip()
    for number in (1, 2, 3):
        site.origin.push(numbered(number), after=first)
        site.shows_number(number)
    site.origin.push(numbered(4), after=None)
    site.shows_number(4)
    return []


def branch_deleted(site: UpstreamSite) -> "list[str]":
    site.origin.push(numbered(7), branch="other")
    git("symbolic-ref", "HEAD", "refs/heads/other", cwd=site.origin.path)
    tip = site.origin.tip()
    site.origin.delete("main")
    message = site.reports("there is no branch 'main', but other")
    assert site.gitglot.number() == 0
    site.origin.push(numbered(1), after=tip)
    site.shows_number(1)
    return [message]


def default_renamed(site: UpstreamSite) -> "list[str]":
    path = site.origin.path
    site.origin.push(numbered(1))
    site.shows_number(1)
    git("branch", "-m", "main", "trunk", cwd=path)
    git("symbolic-ref", "HEAD", "refs/heads/main", cwd=path)
    message = site.reports("HEAD", "trunk")
    git("symbolic-ref", "HEAD", "refs/heads/trunk", cwd=path)
    site.origin.branch = "trunk"
    site.origin.push(numbered(2))
    site.shows_number(2)
    branch = site.gitglot.json("/api/components/garden/app/")["branch"]
    assert branch == "trunk", branch
    return [message]


def moved_by_redirect(site: UpstreamSite) -> "list[str]":
    moved = site.folder / "moved.git"
    site.origin.path.rename(moved)
    message = site.reports("garden.git")
    site.server.moved["garden.git"] = "moved.git"
    site.origin.path = moved
    site.origin.push(numbered(1))
    site.shows_number(1)
    return [message]


def emptied(site: UpstreamSite) -> "list[str]":
    tip = site.origin.tip()
    site.origin.push({path: None for path in numbered(0)} | {"README": "nothing\n"})
    message = site.reports("template")
    assert site.gitglot.number() == 0
    site.origin.push(numbered(1), after=tip)
    site.shows_number(1)
    site.origin.delete("main")
    more = site.reports("the repository has no")
    assert site.gitglot.number() == 1
    site.origin.push(numbered(2), after=tip)
    site.shows_number(2)
    return [message, more]


def template_gone(site: UpstreamSite) -> "list[str]":
    site.origin.push({"app/locales/en.json": None, "web/locales/en.json": None, "app/locales/cs.json": '{"key0": "x 9"}'})
    message = site.reports("locales/en.json")
    assert site.gitglot.number() == 0
    site.origin.push(numbered(1))
    site.shows_number(1)
    return [message]


def unrelated(site: UpstreamSite) -> "list[str]":
    remove(site.origin.path)
    site.origin.__init__(site.origin.path)
    site.origin.clock += 10_000_000
    site.origin.push(numbered(1))
    site.shows_number(1)
    site.origin.push(numbered(2))
    site.shows_number(2)
    changes = site.gitglot.changes()
    site.restart()
    site.shows_number(2)
    # Local repositories are not copied: their deleted commits are lost, and the log is rebuilt.
    assert site.gitglot.changes() == changes or site.kind == "path", "the log differs after a restart"
    return []


def shallow(site: UpstreamSite) -> "list[str]":
    for number in range(1, 6):
        site.origin.push(numbered(number))
    site.shows_number(5)
    aside = site.folder / "shallow.git"
    git("clone", "--quiet", "--bare", "--depth=2", f"file://{site.origin.path}", aside)
    git("config", "uploadpack.allowAnySHA1InWant", "true", cwd=aside)
    remove(site.origin.path)
    aside.rename(site.origin.path)
    site.origin.push(numbered(6))
    site.shows_number(6)
    site.restart()
    site.shows_number(6)
    return []


def tags_only(site: UpstreamSite) -> "list[str]":
    tip = site.origin.tip()
    git("tag", "v1", tip, cwd=site.origin.path)
    site.origin.delete("main")
    message = site.reports("no")
    assert site.gitglot.number() == 0
    site.origin.push(numbered(1), after=tip)
    site.shows_number(1)
    return [message]


def gone_for_long(site: UpstreamSite) -> "list[str]":
    away = site.folder / "away"
    site.origin.path.rename(away)
    message = site.reports("garden.git")
    assert site.gitglot.number() == 0
    away.rename(site.origin.path)
    site.origin.push(numbered(1))
    site.shows_number(1)
    # Later pushes are found as fast as before.
    site.origin.push(numbered(2))
    site.shows_number(2)
    return [message]


def locked_and_packed(site: UpstreamSite) -> "list[str]":
    """Maintenance by git in the repository."""
    for number in range(1, 4):
        site.origin.push(numbered(number))
        site.shows_number(number)
        git("pack-refs", "--all", cwd=site.origin.path)
        git("gc", "--quiet", "--prune=now", cwd=site.origin.path)
        site.shows_number(number)
    return []


CHANGES = {
    "force push": force_push,
    "branch deleted": branch_deleted,
    "default branch renamed": default_renamed,
    "moved by a redirect": moved_by_redirect,
    "emptied": emptied,
    "template gone": template_gone,
    "unrelated history": unrelated,
    "shallow": shallow,
    "tags only": tags_only,
    "gone": gone_for_long,
    "packed": locked_and_packed,
}


def run(step) -> str:
    done = 0
    for name, change in CHANGES.items():
        for kind in ("path", "daemon", "http"):
            if (name == "moved by a redirect" and kind != "http") or not step.wants(f"{kind}: {name}"):
                continue
            folder = step.folder / f"{kind}-{name.replace(' ', '-')}"
            branch = None if name == "default branch renamed" else "main"
            with step.case(f"{kind}: {name}") as messages:
                with UpstreamSite(step.program, folder, kind, branch) as site:
                    messages += change(site)
            done += 1
    return f"{done} cases"
