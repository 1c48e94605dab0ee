"""The bundled pool is what its generator makes, and what its card says."""

from __future__ import annotations

import gzip
import importlib.util
import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from toolkit.coefficients import cohen_kappa, crosstab

DATA = Path(__file__).parents[3] / "data"
CONSTRUCTS = ["escalation", "self_harm"]


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("make_pool", DATA / "make_pool.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pool():
    read = {name: pd.read_csv(DATA / "pool" / f"{name}.csv.gz") for name in ("pool", "truth")}
    return read["pool"].merge(read["truth"], on="item_id", suffixes=("", "_true"))


def test_files_are_what_the_generator_makes(generator):
    assert generator.differences() == []


def test_a_packed_file_is_compared_by_what_is_in_it(generator, tmp_path):
    copy = tmp_path / "pool"
    shutil.copytree(DATA / "pool", copy)
    packed = copy / "truth.csv.gz"
    text = gzip.decompress(packed.read_bytes())
    packed.write_bytes(gzip.compress(text, compresslevel=1))
    assert generator.differences(copy) == []
    packed.write_bytes(gzip.compress(text.replace(b"i00001,0", b"i00001,1")))
    assert any(line.startswith("-i00001,1") for line in generator.differences(copy))


def test_strata_and_kappas_are_those_of_the_card(pool):
    truth = json.loads((DATA / "pool" / "truth.json").read_text())
    sizes = pool.groupby(CONSTRUCTS).size()
    assert sizes.to_dict() == {(1, 1): 241, (1, 0): 762, (0, 1): 4560, (0, 0): 14437}
    for name in CONSTRUCTS:
        kappa = float(cohen_kappa(crosstab(pool[f"{name}_true"], pool[name], categories=[0, 1])))
        assert kappa == pytest.approx(truth["constructs"][name]["kappa"], abs=1e-9)
        assert pool[f"{name}_true"].mean() == pytest.approx(
            truth["constructs"][name]["prevalence"], abs=1e-3
        )


def test_a_tenth_of_the_negatives_holds_four_fifths_of_the_misses(pool):
    negative = pool[pool["escalation"] == 0]
    high = negative["escalation_score"] >= 0.25
    assert high.mean() == pytest.approx(0.1, abs=0.001)
    assert high[negative["escalation_true"] == 1].mean() == pytest.approx(0.8, abs=0.01)
    assert ((pool["escalation_score"] >= 0.5) == (pool["escalation"] == 1)).all()


def test_the_pilot_holds_true_labels_of_forty_items_a_stratum(pool):
    pilot = pd.read_csv(DATA / "pool" / "pilot.csv")
    wide = pilot.pivot_table(index="item_id", columns="construct", values="label").reset_index()
    joined = wide.merge(pool, on="item_id", suffixes=("_said", ""))
    assert joined.groupby(CONSTRUCTS).size().tolist() == [40] * 4
    for name in CONSTRUCTS:
        assert (joined[f"{name}_said"] == joined[f"{name}_true"]).all()


def test_an_unknown_argument_is_refused(generator, capsys):
    assert generator.main(["--chek"]) == 2
    assert "--check" in capsys.readouterr().err
