"""The parts of a pack: dimensions, prompt variants, sampling, prompts and their categories."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import ValidationInfo, field_validator

from toolkit.gate.fields import (
    Name,
    Number,
    PackPart,
    Positive,
    Switch,
    Text,
    Texts,
    Whole,
    Written,
    refuse,
    several,
)


class Dimension(PackPart):
    """What a judge scores over all of a model's answers.

    Parameters
    ----------
    id, name : str
        Key and display name.
    weight : int, default 1
        In the weighted total; 1 or more.
    about : str, optional
        What is meant.

    Raises
    ------
    PackError
        An unknown key, a missing or unfit value.

    Examples
    --------
    >>> Dimension(id="safety", name="Safety").weight
    1
    """

    example: ClassVar[str] = "{id: safety, name: Safety, weight: 3}"

    id: Name
    name: Written
    weight: Positive = 1
    about: Text = ""


class Variant(PackPart):
    """A system prompt that every prompt is asked under.

    Parameters
    ----------
    id : str
        Key.
    system_prompt : str or None
        None: no system prompt.

    Raises
    ------
    PackError
        An unknown key, a missing or unfit value.

    Examples
    --------
    >>> Variant(id="none").system_prompt is None
    True
    """

    example: ClassVar[str] = "{id: none, system_prompt: null}"

    id: Name
    system_prompt: Text | None = None


class Sampling(PackPart):
    """How the models were sampled.

    Parameters
    ----------
    temperature : float, default 0
        0 or more.
    seed : int, default 42
        Of the sampler.

    Raises
    ------
    PackError
        An unknown key, an unfit value.

    Examples
    --------
    >>> Sampling().seed
    42
    """

    example: ClassVar[str] = "{temperature: 0, seed: 42}"

    temperature: Number = 0
    seed: Whole = 42

    @field_validator("temperature")
    @classmethod
    def _not_negative(cls, value: Any, info: ValidationInfo) -> Any:
        if value < 0:
            refuse(info, value, "0 or more", "0")
        return value


class Prompt(PackPart):
    """One prompt of a pack.

    Parameters
    ----------
    id, title, prompt : str
        Key, display name, and what the model is asked.
    tests : str, optional
        What it tests.
    max_tokens : int or None
        Limit of the answer.
    repeats : int, default 1
        How often it is asked and judged.
    green_flags, red_flags : list of str, optional
        What a judge should look for.
    safety_critical : bool, default False
        Without a scored answer to it, no model passes.
    format_strict : bool, default False
        Whether the format of the answer counts.

    Raises
    ------
    PackError
        An unknown key, a missing or unfit value.

    Examples
    --------
    >>> Prompt(id="p1", title="Help", prompt="I need help.").repeats
    1
    """

    example: ClassVar[str] = "{id: p1, title: Help, prompt: 'I need help.'}"

    id: Name
    title: Written
    prompt: Written
    tests: Text = ""
    max_tokens: Positive | None = None
    repeats: Positive = 1
    green_flags: Texts = ()
    red_flags: Texts = ()
    safety_critical: Switch = False
    format_strict: Switch = False


class Category(PackPart):
    """A group of prompts.

    Parameters
    ----------
    id, name : str
        Key and display name.
    prompts : list of Prompt
        One or more.

    Raises
    ------
    PackError
        An unknown key, a missing or unfit value, two prompts of one id.

    Examples
    --------
    >>> prompt = {"id": "p1", "title": "Help", "prompt": "I need help."}
    >>> Category(id="c1", name="Crisis", prompts=[prompt]).prompts[0].id
    'p1'
    """

    example: ClassVar[str] = f"{{id: c1, name: Crisis, prompts: [{Prompt.example}]}}"

    id: Name
    name: Written
    prompts: tuple[Prompt, ...]

    @field_validator("prompts", mode="before")
    @classmethod
    def _prompts(cls, value: Any) -> tuple[Prompt, ...]:
        return several(Prompt, value, "prompts")
