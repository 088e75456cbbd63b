"""What people do to repositories that are followed: each leaves the last good state served, is told, and passes."""

from pathlib import Path

from harness import Followed, Readers, git, numbered, remove, until

PATHS = ["/api/units/?page_size=50", "/api/changes/?page_size=50", "/", "/api/components/"]


class Place(Followed):
    """A fresh repository, followed by one kind of address, and readers who must never see a failure."""

    def __init__(self, program: Path, folder: Path, kind: str, branch: "str | None" = "main"):
        super().__init__(program, folder, kind, [numbered(0)], interval="300ms")
        self.branch = branch

    def begin(self) -> None:
        self.gitglot.start()
        self.shows()
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
        self.shows(40)
        assert self.gitglot.units() == self.ids, "units have other ids"

    def complains(self, *words: str) -> str:
        """Soon both components say what is wrong, in a sentence with these words."""
        def told():
            said = self.gitglot.complaints()
            return len(said) == 2 and all(word in reason for reason in said.values() for word in words) and said
        try:
            return next(iter(until(f"a complaint with {words}", told, 20).values()))
        except AssertionError:
            raise AssertionError(f"no complaint with {words}: {self.gitglot.complaints()}; {self.gitglot.tail()}") from None


def force_push(place: Place) -> "list[str]":
    first = place.origin.tip()
    for number in (1, 2, 3):
        place.origin.push(numbered(number), after=first)
        place.shows_number(number)
    place.origin.push(numbered(4), after=None)
    place.shows_number(4)
    return []


def branch_deleted(place: Place) -> "list[str]":
    place.origin.push(numbered(7), branch="other")
    git("symbolic-ref", "HEAD", "refs/heads/other", cwd=place.origin.path)
    tip = place.origin.tip()
    place.origin.delete("main")
    told = place.complains("there is no branch 'main', but other")
    assert place.gitglot.number() == 0
    place.origin.push(numbered(1), after=tip)
    place.shows_number(1)
    return [told]


def default_renamed(place: Place) -> "list[str]":
    path = place.origin.path
    place.origin.push(numbered(1))
    place.shows_number(1)
    git("branch", "-m", "main", "trunk", cwd=path)
    git("symbolic-ref", "HEAD", "refs/heads/main", cwd=path)
    told = place.complains("HEAD", "trunk")
    git("symbolic-ref", "HEAD", "refs/heads/trunk", cwd=path)
    place.origin.branch = "trunk"
    place.origin.push(numbered(2))
    place.shows_number(2)
    branch = place.gitglot.json("/api/components/garden/app/")["branch"]
    assert branch == "trunk", branch
    return [told]


def moved_by_redirect(place: Place) -> "list[str]":
    moved = place.folder / "elsewhere.git"
    place.origin.path.rename(moved)
    told = place.complains("garden.git")
    place.server.moved["garden.git"] = "elsewhere.git"
    place.origin.path = moved
    place.origin.push(numbered(1))
    place.shows_number(1)
    return [told]


def emptied(place: Place) -> "list[str]":
    tip = place.origin.tip()
    place.origin.push({path: None for path in numbered(0)} | {"README": "nothing\n"})
    told = place.complains("template")
    assert place.gitglot.number() == 0
    place.origin.push(numbered(1), after=tip)
    place.shows_number(1)
    place.origin.delete("main")
    more = place.complains("the repository has no")
    assert place.gitglot.number() == 1
    place.origin.push(numbered(2), after=tip)
    place.shows_number(2)
    return [told, more]


def template_gone(place: Place) -> "list[str]":
    place.origin.push({"app/locales/en.json": None, "web/locales/en.json": None, "app/locales/cs.json": '{"key0": "x 9"}'})
    told = place.complains("locales/en.json")
    assert place.gitglot.number() == 0
    place.origin.push(numbered(1))
    place.shows_number(1)
    return [told]


def unrelated(place: Place) -> "list[str]":
    remove(place.origin.path)
    place.origin.__init__(place.origin.path)
    place.origin.clock += 10_000_000
    place.origin.push(numbered(1))
    place.shows_number(1)
    place.origin.push(numbered(2))
    place.shows_number(2)
    changes = place.gitglot.changes()
    place.restart()
    place.shows_number(2)
    # Of a repository on this machine nothing was copied: what is gone there is gone, and the log begins anew.
    assert place.gitglot.changes() == changes or place.kind == "path", "the log differs after a restart"
    return []


def shallow(place: Place) -> "list[str]":
    for number in range(1, 6):
        place.origin.push(numbered(number))
    place.shows_number(5)
    aside = place.folder / "shallow.git"
    git("clone", "--quiet", "--bare", "--depth=2", f"file://{place.origin.path}", aside)
    git("config", "uploadpack.allowAnySHA1InWant", "true", cwd=aside)
    remove(place.origin.path)
    aside.rename(place.origin.path)
    place.origin.push(numbered(6))
    place.shows_number(6)
    place.restart()
    place.shows_number(6)
    return []


def tags_only(place: Place) -> "list[str]":
    tip = place.origin.tip()
    git("tag", "v1", tip, cwd=place.origin.path)
    place.origin.delete("main")
    told = place.complains("no")
    assert place.gitglot.number() == 0
    place.origin.push(numbered(1), after=tip)
    place.shows_number(1)
    return [told]


def gone_for_long(place: Place) -> "list[str]":
    away = place.folder / "away"
    place.origin.path.rename(away)
    told = place.complains("garden.git")
    assert place.gitglot.number() == 0
    away.rename(place.origin.path)
    place.origin.push(numbered(1))
    place.shows_number(1)
    # What moves later is seen as soon as before.
    place.origin.push(numbered(2))
    place.shows_number(2)
    return [told]


def locked_and_packed(place: Place) -> "list[str]":
    """git's own housekeeping."""
    for number in range(1, 4):
        place.origin.push(numbered(number))
        place.shows_number(number)
        git("pack-refs", "--all", cwd=place.origin.path)
        git("gc", "--quiet", "--prune=now", cwd=place.origin.path)
        place.shows_number(number)
    return []


WHIMS = {
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


def run(steps) -> str:
    done = 0
    for name, whim in WHIMS.items():
        for kind in ("path", "daemon", "http"):
            if (name == "moved by a redirect" and kind != "http") or not steps.wants(f"{kind}: {name}"):
                continue
            folder = steps.folder / f"{kind}-{name.replace(' ', '-')}"
            branch = None if name == "default branch renamed" else "main"
            with steps.case(f"{kind}: {name}") as case:
                with Place(steps.program, folder, kind, branch) as place:
                    case.told = whim(place)
            done += 1
    return f"{done} whims"
