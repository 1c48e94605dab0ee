"""The one place where questions, labels and polarity are looked up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from toolkit.answers.convention import Convention
from toolkit.answers.lexicon import fold
from toolkit.common.hints import did_you_mean
from toolkit.common.strict_model import within
from toolkit.common.strict_yaml import load_yaml
from toolkit.errors import ConventionError

EXAMPLE = (
    "{benchmark: mine, conventions: [{subsets: [tone], version: '1', labels: [RUDE, KIND],"
    " positive: KIND}]}"
)
FILE_KEYS = ("benchmark", "by_subcategory", "conventions")


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
                return cls._of(content)
            except ConventionError as error:
                raise within(path.name, error, separator=", ") from None
        return cls._of(source)

    @classmethod
    def _of(cls, content: Any) -> Registry:
        if not isinstance(content, Mapping):
            raise ConventionError(
                "conventions are a mapping", got=content, allowed=FILE_KEYS, example=EXAMPLE
            )
        for key in content:
            if key not in FILE_KEYS:
                raise ConventionError(
                    f"unknown key {key!r}{did_you_mean(key, FILE_KEYS)}",
                    allowed=FILE_KEYS,
                    example=EXAMPLE,
                )
        benchmark, entries = content.get("benchmark"), content.get("conventions")
        if not isinstance(benchmark, str) or not isinstance(entries, list) or not entries:
            raise ConventionError(
                "a benchmark has a name and a list of conventions",
                got={"benchmark": benchmark, "conventions": entries},
                example=EXAMPLE,
            )
        found = [one for entry in entries for one in _expand(benchmark, entry)]
        keys = [one.key for one in found]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice:
            raise ConventionError("a convention is there twice", got="/".join(twice))
        pooled = content.get("by_subcategory", [])
        if not isinstance(pooled, list):
            raise ConventionError(
                "`by_subcategory` is a list of subsets", got=pooled, example="[mixed]"
            )
        return cls(
            tuple(_with_siblings(one, found) for one in found),
            frozenset((benchmark, str(subset)) for subset in pooled),
        )

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
            raise _unknown("benchmark", benchmark, benchmarks)
        if (benchmark, subset) in self.by_subcategory:
            if _missing(subcategory):
                raise ConventionError(
                    f"{subset!r} holds items of several subsets and needs a subcategory",
                    got=subcategory,
                    allowed=self.subsets(benchmark),
                    example=f'convention("{benchmark}", "{subset}", subcategory="justice")',
                )
            subset = subcategory
        subsets = self.subsets(benchmark)
        if subset is None and len(subsets) == 1:
            subset = subsets[0]
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


def _unknown(what: str, got: Any, allowed: list[str]) -> ConventionError:
    hint = did_you_mean(got, allowed) if isinstance(got, str) else ""
    return ConventionError(
        f"unknown {what}{hint}", got="nothing" if got is None else got, allowed=allowed
    )


def _missing(value: Any) -> bool:
    return not isinstance(value, str) or not value.strip()


def _expand(benchmark: str, entry: Any) -> list[Convention]:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("subsets"), list):
        raise ConventionError(
            "a convention is a mapping with a list `subsets`", got=entry, example=EXAMPLE
        )
    fields = {key: value for key, value in entry.items() if key != "subsets"}
    odd = next((key for key in fields if not isinstance(key, str)), None)
    if odd is not None or not entry["subsets"]:
        raise ConventionError(
            "a convention has a subset" if odd is None else "the key of a field is no text",
            got=entry["subsets"] if odd is None else odd,
            allowed="a list `subsets` and the fields of Convention",
            example=EXAMPLE,
        )
    found = []
    for subset in entry["subsets"]:
        try:
            found.append(Convention(benchmark=benchmark, subset=subset, **fields))
        except ConventionError as error:
            inside = f"{benchmark}/{subset}"
            told = inside in (error.where or "")
            raise (error if told else within(inside, error, separator=", ")) from None
    return found


def _with_siblings(one: Convention, family: list[Convention]) -> Convention:
    """Add the labels of the other subsets, which are recognised and never read as an answer."""
    own = set(one.lexicon.words)
    others = {
        fold(str(word))
        for other in family
        for label in other.labels
        for word in (label, *other.canonical.get(label, ()))
    }
    known = {*one.off_vocabulary, *(word for word in others if word not in own)}
    return Convention(**{**one.model_dump(), "off_vocabulary": tuple(sorted(known))})
