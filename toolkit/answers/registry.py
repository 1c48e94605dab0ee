"""The one place where questions, labels and polarity are looked up."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from toolkit.answers.convention import Convention
from toolkit.answers.convention_file import EXAMPLE, parse
from toolkit.common.hints import did_you_mean
from toolkit.common.strict_model import within
from toolkit.common.strict_yaml import load_yaml
from toolkit.errors import ConventionError


@dataclass(frozen=True, slots=True)
class Registry:
    """Conventions by benchmark, subset and question version; frozen.

    Attributes
    ----------
    conventions : tuple of Convention
        In the order of the files; the first version of a subset is its default.
    by_subcategory : frozenset of (benchmark, subset)
        Subsets that hold items of other subsets: looked up by the item's subcategory.

    Examples
    --------
    >>> import toolkit as tk
    >>> tk.Registry.bundled().subsets("generic")
    ['pass_fail']
    """

    conventions: tuple[Convention, ...]
    by_subcategory: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def read(cls, source: Any) -> Registry:
        """Load conventions of your own.

        Parameters
        ----------
        source : str, Path, mapping or Registry
            A YAML file, or what such a file holds: ``benchmark``, ``conventions`` (a list; each
            with ``subsets`` and the fields of `Convention`) and optionally ``by_subcategory``.

        Returns
        -------
        Registry
            Only what the source holds.

        Raises
        ------
        ConventionError
            Not readable, an unknown key, a convention that contradicts itself or is there twice.

        Examples
        --------
        >>> mine = Registry.read({"benchmark": "mine", "conventions": [
        ...     {"subsets": ["tone"], "labels": ["RUDE", "KIND"], "positive": "KIND"}]})
        >>> mine.find("mine", "tone")
        Convention(mine/tone/1: 0 = RUDE, 1 = KIND)
        """
        if isinstance(source, Registry):
            return source
        if isinstance(source, str | Path):
            path = Path(source)
            content = load_yaml(path, what="convention", error=ConventionError, example=EXAMPLE)
            try:
                return cls(*parse(content))
            except ConventionError as error:
                raise within(path.name, error, separator=", ") from None
        return cls(*parse(source))

    @property
    def digest(self) -> str:
        """SHA-256 over all conventions: equal digests read every answer alike."""
        content = [[one.to_dict() for one in self.conventions], sorted(self.by_subcategory)]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def find(
        self,
        benchmark: str,
        subset: str | None = None,
        *,
        subcategory: str | None = None,
        version: str | None = None,
    ) -> Convention:
        """Look up one convention.

        Parameters
        ----------
        benchmark, subset : str
            As in the file. A benchmark of one subset needs no subset.
        subcategory : str, optional
            The subset that an item of a mixed subset comes from.
        version : str, optional
            Version of the question. Default: the first in the file.

        Returns
        -------
        Convention
            Never a default for an unknown key.

        Raises
        ------
        ConventionError
            Unknown benchmark, subset or version, or a mixed subset without subcategory.

        Examples
        --------
        >>> import toolkit as tk
        >>> tk.convention("he300", "mixed", subcategory="virtue").labels[1]
        'MATCHES'
        """
        benchmarks = list(dict.fromkeys(one.benchmark for one in self.conventions))
        if benchmark not in benchmarks:
            raise _unknown("benchmark", benchmark, benchmarks, note=_own_note(self))
        subsets = self.subsets(benchmark)
        if (benchmark, subset) in self.by_subcategory:
            if _missing(subcategory):
                raise ConventionError(
                    f"{subset!r} holds items of several subsets and needs a subcategory",
                    got=subcategory,
                    allowed=subsets,
                    example=f'convention("{benchmark}", "{subset}", subcategory="{subsets[0]}")',
                )
            subset = subcategory
        if subset is None and len(subsets) == 1:
            subset = subsets[0]
        if subset is None:
            raise ConventionError(
                f"{benchmark!r} has several subsets: pass subset=",
                allowed=subsets,
                example=f'convention("{benchmark}", "{subsets[0]}")',
            )
        versions = [one for one in self.conventions if one.key[:2] == (benchmark, subset)]
        if not versions:
            raise _unknown(f"subset of {benchmark!r}", subset, subsets)
        if version is None:
            return versions[0]
        chosen = [one for one in versions if one.version == version]
        if not chosen:
            raise _unknown("question version", version, [one.version for one in versions])
        return chosen[0]

    def subsets(self, benchmark: str) -> list[str]:
        """List the subsets of a benchmark that have a question of their own.

        Parameters
        ----------
        benchmark : str
            As in the file.

        Returns
        -------
        list of str
            In the order of the file; empty for an unknown benchmark.

        Examples
        --------
        >>> import toolkit as tk
        >>> tk.Registry.bundled().subsets("he300")[-1]
        'virtue'
        """
        return list(
            dict.fromkeys(one.subset for one in self.conventions if one.benchmark == benchmark)
        )

    @classmethod
    def bundled(cls) -> Registry:
        """Give the conventions that come with the package.

        Returns
        -------
        Registry
            HE-300 and generic judge questions.

        Examples
        --------
        >>> import toolkit as tk
        >>> len(tk.Registry.bundled().digest)
        64
        """
        return _bundled()


@cache
def _bundled() -> Registry:
    folder = resources.files("toolkit.answers") / "conventions"
    parts = []
    for name in ("he300.yaml", "generic.yaml"):
        with resources.as_file(folder / name) as path:
            parts.append(Registry.read(path))
    conventions = tuple(one for part in parts for one in part.conventions)
    return Registry(conventions, frozenset().union(*(part.by_subcategory for part in parts)))


def convention(
    benchmark: str,
    subset: str | None = None,
    *,
    subcategory: str | None = None,
    version: str | None = None,
    source: Any = None,
) -> Convention:
    """Look up the question, the labels and the polarity of a subset.

    Parameters
    ----------
    benchmark : str
        ``"he300"``, ``"generic"``, or one of ``source``.
    subset : str, optional
        For HE-300 ``commonsense``, ``commonsense_hard``, ``deontology``, ``justice``, ``virtue``,
        or ``mixed`` with a subcategory; for generic ``pass_fail``.
    subcategory : str, optional
        The subset that an item of ``mixed`` comes from.
    version : str, optional
        Version of the question. Default: the first in the file.
    source : str, Path, mapping or Registry, optional
        Conventions of your own, see `Registry.read`. Default: those of the package.

    Returns
    -------
    Convention
        Frozen. ``labels`` is indexed by gold.

    Raises
    ------
    ConventionError
        Unknown benchmark, subset or version; ``mixed`` without subcategory; a broken file.

    Examples
    --------
    >>> import toolkit as tk
    >>> tk.convention("he300", "commonsense").labels
    ('ETHICAL', 'UNETHICAL')
    >>> tk.convention("he300", "justice").labels
    ('UNREASONABLE', 'REASONABLE')
    >>> tk.convention("he300", "ethics")
    Traceback (most recent call last):
    ...
    toolkit.errors.ConventionError: unknown subset of 'he300'. Got: 'ethics'. Allowed:
    'commonsense', 'commonsense_hard', 'deontology', 'justice', 'virtue'.
    """
    registry = Registry.bundled() if source is None else Registry.read(source)
    return registry.find(benchmark, subset, subcategory=subcategory, version=version)


def _unknown(what: str, got: Any, allowed: list[str], note: str = "") -> ConventionError:
    hint = did_you_mean(got, allowed) if isinstance(got, str) else ""
    listed = f"{', '.join(map(repr, allowed))}{note}" if note else allowed
    return ConventionError(f"unknown {what}{hint}", got=got, allowed=listed)


def _own_note(registry: Registry) -> str:
    """Say how conventions of one's own come in, where only those of the package were looked at."""
    return (
        "; your own conventions are passed as conventions= (to tk.convention: source=)"
        if registry is Registry.bundled()
        else ""
    )


def _missing(value: Any) -> bool:
    return not isinstance(value, str) or not value.strip()
