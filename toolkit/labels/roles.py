"""Who is the judge, and whose labels it is measured against."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from toolkit.common.hints import did_you_mean
from toolkit.errors import LabelError

if TYPE_CHECKING:
    from toolkit.labels.table import Labels

Codes = NDArray[np.int64]
MAJORITY = "majority"
MOST_NAMED = 3  # more names than these are counted instead


@dataclass(frozen=True)
class Roles:
    """The rater in the columns, the raters in the rows, and what was assumed about them."""

    judge: str
    reference: tuple[str, ...]
    flags: tuple[str, ...] = ()

    @property
    def reference_name(self) -> str:
        """The reference in words."""
        if len(self.reference) == 1:
            return self.reference[0]
        if len(self.reference) > MOST_NAMED:
            return f"majority of {len(self.reference)} raters"
        return f"majority of {', '.join(self.reference[:-1])} and {self.reference[-1]}"


def resolve_roles(
    labels: Labels, judge: str | None = None, reference: str | Sequence[str] | None = None
) -> Roles:
    """Settle judge and reference, or refuse with the names to choose from."""
    refuse_other_tables(labels)
    raters = labels.raters
    ids = [str(rater) for rater in raters["rater_id"]]
    kinds = dict(zip(ids, raters["rater_kind"].astype(object), strict=True))
    chosen = _judge(judge, kinds)
    people = [rater for rater in ids if kinds[rater] == "human" and rater != chosen]
    flags: tuple[str, ...] = ()
    if not people and not any(kind in ("human", "judge") for kind in kinds.values()):
        people, flags = [rater for rater in ids if rater != chosen], ("rater_kind_assumed",)
    if reference is None or (isinstance(reference, str) and reference == MAJORITY):
        if not people:
            raise LabelError(
                "no person's labels to measure against",
                got={rater: kinds[rater] for rater in ids},
                allowed="a rater of kind human, or reference='...'",
                example=f"reference={next((r for r in ids if r != chosen), 'human1')!r}",
            )
        return Roles(chosen, tuple(people), flags)
    listed = [reference] if isinstance(reference, str) else as_names(reference, "reference")
    named = tuple(listed)
    for rater in named:
        _known(rater, ids, "reference")
        if rater == chosen:
            raise LabelError(
                "the judge would be measured against itself",
                got=rater,
                allowed=[other for other in ids if other != chosen],
                where="reference",
            )
    if not named or len(set(named)) != len(named):
        raise LabelError(
            "reference is empty or repeats", got=named, allowed=ids, example="reference='majority'"
        )
    return Roles(chosen, named)


def refuse_other_tables(labels: object) -> None:
    """Refuse what is no label table, such as the DataFrame that it could be read from."""
    if not hasattr(labels, "codes") or not hasattr(labels, "schema"):
        raise LabelError(
            "no label table",
            got=type(labels).__name__,
            allowed="what tk.read_labels gives",
            example="labels = tk.read_labels(frame)",
        )


def as_names(names: object, where: str) -> list[str]:
    """Check a list of names."""
    if isinstance(names, Collection) or hasattr(names, "tolist"):
        listed = list(cast("Collection[str]", names))
        if all(isinstance(name, str) for name in listed):
            return listed
    raise LabelError(
        "no names", got=names, allowed="text, or a list of text", example=f"{where}=['a', 'b']"
    )


def majority(codes: Codes) -> tuple[Codes, NDArray[np.bool_]]:
    """Give the most frequent code of each row, -1 without labels or with a tie; the ties."""
    number = int(codes.max(initial=-1)) + 1
    if number == 0:
        return np.full(len(codes), -1), np.zeros(len(codes), dtype=bool)
    votes = np.stack([(codes == code).sum(axis=1) for code in range(number)], axis=1)
    most = votes.max(axis=1)
    tied = (votes == most[:, None]).sum(axis=1) > 1
    decided = (most > 0) & ~tied
    return np.where(decided, votes.argmax(axis=1), -1), tied & (most > 0)


def _judge(judge: str | None, kinds: dict[str, object]) -> str:
    if judge is not None:
        _known(judge, list(kinds), "judge")
        return judge
    judges = [rater for rater, kind in kinds.items() if kind == "judge"]
    if len(judges) == 1:
        return judges[0]
    if kinds and all(kind == "human" for kind in kinds.values()):
        raise LabelError(
            "these are labels of people only, so there is no judge to measure",
            got=list(kinds),
            allowed="a table that holds the judge's labels too, or judge= one of these persons",
            example="tk.read_labels(pd.concat([labels.to_frame(), judge_rows]))",
        )
    what = "several raters are of kind judge" if judges else "no rater is of kind judge"
    choice = judges or list(kinds)
    raise LabelError(
        f"{what}: say which one is measured", allowed=choice, example=f"judge={choice[0]!r}"
    )


def _known(rater: object, ids: list[str], role: str) -> None:
    if rater not in ids:
        near = did_you_mean(rater, ids)
        raise LabelError(f"unknown rater{near}", got=rater, allowed=ids, where=role)
