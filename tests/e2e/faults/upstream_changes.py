"""What people do to repositories that are followed: each leaves the last good state served, is told, and passes."""

from pathlib import Path

from harness import git, numbered, Readers, remove, TestSite, until

PATHS = ["/api/units/?page_size=50", "/api/changes/?page_size=50", "/", "/api/components/"]


class UpstreamSite(TestSite):
    """A fresh repository, followed by one kind of address, and readers who must never see a failure."""

    def __init__(self, program: Path, folder: Path, kind: str, branch: "str | None" = "main"):
        super().__init__(program, folder, kind, [numbered(0)], interval="300ms")
        self.branch = branch

    def begin(self) -> None:
        self.gitglot.start()
        self.wait_shown()
        self.ids = self.gitglot.units()
        self.readers = Readers(self.gitglot, PATHS, threads=1).__enter__()

    def __exit__(self, *what) -> None:
        try:
            self.readers.__exit__(*what)
        finally:
            super().__exit__(*what)

    def restart(self) -> None:
        """Ends the program as a crash would, and starts it again."""
        self.readers.__exit__(None, None, None)
        self.gitglot.kill()
        self.gitglot.start()
        self.readers = Readers(self.gitglot, PATHS, threads=1).__enter__()

    def shows_number(self, number: int) -> None:
        """Soon both components show a number, nothing is wrong any more, and the ids are what they were."""
        self.number = number
        self.wait_shown(40)
        assert self.gitglot.units() == self.ids, "units have other ids"

    def complains(self, *words: str) -> str:
        """Soon both components say what is wrong, in a sentence with these words."""
        def told():
            said = self.gitglot.failures()
            return len(said) == 2 and all(word in reason for reason in said.values() for word in words) and said
        try:
            return next(iter(until(f"a complaint with {words}", told, 20).values()))
        except AssertionError:
            raise AssertionError(f"no complaint with {words}: {self.gitglot.failures()}; {self.gitglot.tail()}") from None


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
    told = site.complains("there is no branch 'main', but other")
    assert site.gitglot.number() == 0
    site.origin.push(numbered(1), after=tip)
    site.shows_number(1)
    return [told]


def default_renamed(site: UpstreamSite) -> "list[str]":
    path = site.origin.path
    site.origin.push(numbered(1))
    site.shows_number(1)
    git("branch", "-m", "main", "trunk", cwd=path)
    git("symbolic-ref", "HEAD", "refs/heads/main", cwd=path)
    told = site.complains("HEAD", "trunk")
    git("symbolic-ref", "HEAD", "refs/heads/trunk", cwd=path)
    site.origin.branch = "trunk"
    site.origin.push(numbered(2))
    site.shows_number(2)
    branch = site.gitglot.json("/api/components/garden/app/")["branch"]
    assert branch == "trunk", branch
    return [told]


def moved_by_redirect(site: UpstreamSite) -> "list[str]":
    moved = site.folder / "elsewhere.git"
    site.origin.path.rename(moved)
    told = site.complains("garden.git")
    site.server.moved["garden.git"] = "elsewhere.git"
    site.origin.path = moved
    site.origin.push(numbered(1))
    site.shows_number(1)
    return [told]


def emptied(site: UpstreamSite) -> "list[str]":
    tip = site.origin.tip()
    site.origin.push({path: None for path in numbered(0)} | {"README": "nothing\n"})
    told = site.complains("template")
    assert site.gitglot.number() == 0
    site.origin.push(numbered(1), after=tip)
    site.shows_number(1)
    site.origin.delete("main")
    more = site.complains("the repository has no")
    assert site.gitglot.number() == 1
    site.origin.push(numbered(2), after=tip)
    site.shows_number(2)
    return [told, more]


def template_gone(site: UpstreamSite) -> "list[str]":
    site.origin.push({"app/locales/en.json": None, "web/locales/en.json": None, "app/locales/cs.json": '{"key0": "x 9"}'})
    told = site.complains("locales/en.json")
    assert site.gitglot.number() == 0
    site.origin.push(numbered(1))
    site.shows_number(1)
    return [told]


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
    # Of a repository on this machine nothing was copied: what is gone there is gone, and the log begins anew.
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
    told = site.complains("no")
    assert site.gitglot.number() == 0
    site.origin.push(numbered(1), after=tip)
    site.shows_number(1)
    return [told]


def gone_for_long(site: UpstreamSite) -> "list[str]":
    away = site.folder / "away"
    site.origin.path.rename(away)
    told = site.complains("garden.git")
    assert site.gitglot.number() == 0
    away.rename(site.origin.path)
    site.origin.push(numbered(1))
    site.shows_number(1)
    # What moves later is seen as soon as before.
    site.origin.push(numbered(2))
    site.shows_number(2)
    return [told]


def locked_and_packed(site: UpstreamSite) -> "list[str]":
    """git's own housekeeping."""
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
