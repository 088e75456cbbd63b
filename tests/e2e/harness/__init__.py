"""The harness of the end-to-end tests: gitglot under test, git repositories and servers, tools from registries."""

from .common import Skipped, TIMEOUT, until, run, end_processes, attempt, free_port, can_connect, remove
from .repositories import GIT_ENVIRONMENT, git, numbered, Origin, configuration, Daemon
from .servers import Server, Nginx, HaProxy, Demo, Gitglot, Readers
from .steps import ClientStep, TestSite, FaultStep
