"""The constructs of a label table, read from YAML or from a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, overload

from pydantic import Field, field_validator, model_validator

from toolkit.common.hints import did_you_mean
from toolkit.common.strict_model import StrictModel, within
from toolkit.common.strict_yaml import load_yaml
from toolkit.common.utf8 import is_unicode
from toolkit.errors import SchemaError
from toolkit.labels.construct import Construct

__all__ = ["Construct", "Schema"]


EXAMPLE = StrictModel.example


class Schema(StrictModel):
    """The constructs of a label table.

    Parameters
    ----------
    constructs : mapping of str to Construct
        By name.
    default : Construct, optional
        For constructs that are not named. Without it, a construct that is not named is an error.

    Raises
    ------
    SchemaError
        Nothing declared, or as `Construct`.

    Examples
    --------
    >>> schema = Schema.read({"constructs": {"tone": {"categories": ["calm", "harsh"]}}})
    >>> schema["tone"].categories
    ('calm', 'harsh')
    """

    constructs: dict[str, Construct] = Field(default_factory=dict)
    default: Construct | None = None

    def __getitem__(self, name: str) -> Construct:
        found = self.constructs.get(name, self.default)
        if found is None:
            raise SchemaError(
                f"construct not in the schema{did_you_mean(name, self.constructs)}",
                got=name,
                allowed=list(self.constructs),
                example=f"constructs: {{{name}: {{kind: nominal, categories: [0, 1]}}}}",
                where="schema",
            )
        return found

    def __contains__(self, name: object) -> bool:
        return name in self.constructs or self.default is not None

    def to_dict(self) -> dict[str, Any]:
        """Give what `Schema.read` accepts and strict JSON can hold.

        Returns
        -------
        dict
            Keys `constructs` and `default`.

        Examples
        --------
        >>> schema = Schema.read({"constructs": {"tone": {"categories": ["calm", "harsh"]}}})
        >>> Schema.read(schema.to_dict()) == schema
        True
        """
        return self.model_dump(mode="json")

    @overload
    @classmethod
    def read(cls, source: None) -> None: ...
    @overload
    @classmethod
    def read(cls, source: str | Path | Mapping[str, Any] | Schema) -> Schema: ...
    @classmethod
    def read(cls, source: str | Path | Mapping[str, Any] | Schema | None) -> Schema | None:
        """Read a schema.

        Parameters
        ----------
        source : path, mapping, Schema or None
            A YAML file, what such a file holds, or a schema as it is. In YAML, ``yes``, ``no``,
            ``on`` and ``off`` are words.

        Returns
        -------
        Schema or None
            None for None: the schema is then inferred from the labels.

        Raises
        ------
        SchemaError
            With file and field, what was got, what is allowed and an example.

        Examples
        --------
        >>> schema = Schema.read({"constructs": {"escalation": {"categories": [0, 1]}}})
        >>> schema["escalation"].kind
        'nominal'
        """
        if source is None or isinstance(source, Schema):
            return source
        if isinstance(source, Mapping):
            return cls._of(source)
        if not isinstance(source, str | Path):
            raise SchemaError(
                "no schema",
                got=type(source).__name__,
                allowed="the path of a YAML file, a mapping, a Schema or None",
                example=EXAMPLE,
                where="schema",
            )
        path = Path(source)
        content = load_yaml(path)
        try:
            return cls._of(content)
        except SchemaError as error:
            raise within(path.name, error, separator=", ") from None

    @classmethod
    def _of(cls, content: Any) -> Schema:
        if not isinstance(content, Mapping):
            raise SchemaError(
                "a schema is a mapping", got=content, allowed="constructs, default", example=EXAMPLE
            )
        return cls(**{str(name): value for name, value in content.items()})

    @field_validator("constructs", mode="before")
    @classmethod
    def _each(cls, constructs: Any) -> dict[str, Construct]:
        if not isinstance(constructs, Mapping):
            raise SchemaError("`constructs` is a mapping of names", got=constructs, example=EXAMPLE)
        if any(not str(name).strip() for name in constructs):
            raise SchemaError("a construct has no name", example=EXAMPLE, where="constructs")
        names = [str(name) for name in constructs]
        bad = [name for name in names if names.count(name) > 1 or not is_unicode(name)]
        if bad:
            raise SchemaError(
                "construct names are text, each there once",
                got=bad[0],
                allowed='1 and "1" are one name; no lone surrogates',
                example=EXAMPLE,
                where="constructs",
            )
        return {
            name: _construct(value, f"constructs.{name}")
            for name, value in zip(names, constructs.values(), strict=True)
        }

    @field_validator("default", mode="before")
    @classmethod
    def _other(cls, default: Any) -> Construct | None:
        return None if default is None else _construct(default, "default")

    @model_validator(mode="after")
    def _something(self) -> Schema:
        if not self.constructs and self.default is None:
            raise SchemaError(
                "the schema declares no construct", allowed="constructs or default", example=EXAMPLE
            )
        return self


def _construct(value: Any, where: str) -> Construct:
    if isinstance(value, Construct):
        return value
    if not isinstance(value, Mapping):
        raise SchemaError("a construct is a mapping", got=value, example=EXAMPLE, where=where)
    try:
        return Construct(**{str(name): option for name, option in value.items()})
    except SchemaError as error:
        raise within(where, error) from None
