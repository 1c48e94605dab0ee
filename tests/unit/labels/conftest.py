"""Read a file that is to be refused."""

from __future__ import annotations

import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels

SCHEMA = {
    "constructs": {
        "harm": {"categories": {0: "absent", 1: "there"}, "abstain": ["unsure"]},
        "answer": {"categories": ["no", "yes"]},
    }
}


@pytest.fixture
def refused(tmp_path):
    """Write a file, read it, and give the message of the refusal."""

    def read(content, *, name="labels.csv", schema=SCHEMA, **options):
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
        with pytest.raises(LabelError) as refusal:
            read_labels(tmp_path / name, schema, **options)
        message = str(refusal.value)
        assert str(tmp_path) not in message
        return message

    return read
