"""The services of the catalog as attributes. Every name works, so a new action needs no new SDK.

`catalog.pyi` has the types. It is generated.
"""
from __future__ import annotations

from typing import Any, Callable, Mapping

from ._calls import to_params


class Service:
    """A service of the catalog. Its attributes are its actions."""

    def __init__(self, run: Callable[[str, Mapping[str, Any]], Any], name: str) -> None:
        self._run = run
        self._name = name

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def action(**params: Any) -> Any:
            return self._run(f"{self._name}/{name}", to_params(params))

        action.__name__ = name
        return action


class Catalog:
    """Every attribute that the client does not have itself is a service."""

    def __getattr__(self, name: str) -> Service:
        if name.startswith("_"):
            raise AttributeError(name)
        return Service(self._run_member, name)

    def _run_member(self, member: str, params: Mapping[str, Any]) -> Any:
        raise NotImplementedError


class AsyncCatalog(Catalog):
    """As `Catalog`; calls return awaitables."""


def __getattr__(name: str) -> Any:
    """The types of catalog.pyi are dictionaries at run time."""
    if name.startswith("_") or not name[:1].isupper():
        raise AttributeError(name)
    return dict
