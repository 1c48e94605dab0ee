"""Every refusal names the place, what was got, what is allowed and an example."""

from __future__ import annotations

import gzip

import pandas as pd
import pytest

from toolkit.errors import LabelError
from toolkit.labels import read_labels

HARM = {"constructs": {"harm": {"categories": [0, 1]}}}
HEADER = "item_id,construct,rater_id,label"


def rows(*lines, header=HEADER):
    return "\n".join([header, *lines]) + "\n"


def test_unknown_label_names_file_line_column_value_and_categories(refused):
    message = refused(rows("a,harm,ann,1", "a,harm,gpt,2"))
    assert "unknown label for construct 'harm' (labels.csv, line 3, column 'label')" in message
    assert "Got: '2'. Allowed: 0, 1, 'unsure'" in message
    assert "did you mean" not in refused(rows("a,harm,ann,10"))
    assert "Example: abstain: [2] in the schema of 'harm'" in message


def test_unknown_label_is_not_folded_but_the_nearest_is_named(refused):
    message = refused(rows("a,answer,ann,yes", "a,answer,gpt,Yes"))
    assert (
        "unknown label for construct 'answer', did you mean 'yes'? (labels.csv, line 3" in message
    )


def test_a_display_label_is_no_value_but_is_understood_as_a_slip(refused):
    assert "did you mean 1?" in refused(rows("a,harm,ann,there"))


def test_the_first_of_several_unknown_labels_is_placed_and_all_are_listed(refused):
    message = refused(rows("a,harm,ann,1", "a,harm,gpt,7", "b,harm,ann,8", "b,harm,gpt,7"))
    assert "and 1 other such values (labels.csv, line 3" in message
    assert "Got: ['7', '8']" in message


def test_lines_are_those_of_the_file_even_with_quoted_line_breaks(refused):
    text = rows(
        '"a","harm",ann,1,"two\nlines, and ""more"""',
        "",
        "a,harm,gpt,1,",
        "b,harm,gpt,2,x",
        header=HEADER + ',"the\nnote"',
    )
    assert "line 7, column 'label'" in refused(text)
    assert "line 7, column 'label'" in refused(text.replace("\n", "\r\n"))


def test_a_wide_table_names_the_column_of_the_rater_or_construct(refused):
    text = "item_id,ann,gpt\na,1,1\nb,0,2\n"
    assert "labels.csv, line 3, column 'gpt'" in refused(text, wide="rater", construct="harm")
    text = "item_id,rater_id,harm,answer\na,ann,1,no\na,gpt,1,No\n"
    assert "labels.csv, line 3, column 'answer'" in refused(text, wide="construct")


def test_lines_of_json_and_rows_of_parquet_and_indices_of_frames_are_named(refused, tmp_path):
    line = '{{"item_id": "a", "construct": "harm", "rater_id": "{}", "label": {}}}\n'
    text = "\n" + line.format("ann", 1) + "\n" + line.format("gpt", 2)
    assert "labels.jsonl, line 4, column 'label'" in refused(text, name="labels.jsonl")
    frame = pd.DataFrame({"item_id": ["a", "a"], "rater_id": ["ann", "gpt"], "label": [1, 2]})
    frame.to_parquet(tmp_path / "made.parquet")
    content = (tmp_path / "made.parquet").read_bytes()
    message = refused(content, name="labels.parquet", construct="harm")
    assert "labels.parquet, row 1, column 'label'" in message
    with pytest.raises(LabelError, match="DataFrame, index 'second', column 'label'"):
        read_labels(frame.set_axis(["first", "second"]), HARM, construct="harm")


def test_two_labels_name_both_lines_and_say_that_sittings_make_them_legal(refused):
    message = refused(rows("a,harm,ann,1", "a,harm,gpt,1", "a,harm,ann,0"))
    assert "two labels by rater 'ann' for item 'a' and construct 'harm'" in message
    assert "labels.csv, lines 2 and 4, column 'label'" in message
    assert "Got: ['1', '0']" in message
    assert "a `sitting` column makes repeats legal" in message


@pytest.mark.parametrize(
    ("sittings", "places"),
    [(["1", "1", "2", "2"], "lines 2 and 3"), (["1", "", "1", "2"], "lines 2 and 3")],
)
def test_two_labels_in_one_sitting_or_a_blank_one_are_refused(refused, sittings, places):
    lines = [f"a,harm,ann,1,{sitting}" for sitting in sittings]
    message = refused(rows(*lines, "a,harm,gpt,1,1", header=HEADER + ",sitting"))
    assert "in one sitting, or in one that is blank" in message
    assert places in message


def test_two_labels_in_a_wide_table_name_lines_and_rater(refused):
    message = refused("item_id,ann,gpt\na,1,1\na,0,1\n", wide="rater", construct="harm")
    assert "two labels by rater 'ann'" in message
    assert "lines 2 and 3, column 'ann'" in message


def test_a_missing_column_lists_those_there_and_the_layouts(refused):
    message = refused("item_id,construct,rater,label\na,harm,ann,1\n")
    assert "missing column 'rater_id', did you mean 'rater' renamed to 'rater_id'?" in message
    assert "Got: ['item_id', 'construct', 'rater', 'label']" in message
    assert "wide='rater'" in message
    assert "wide='construct'" in message


def test_another_separator_is_noticed(refused):
    assert "another separator" in refused("item_id;construct;rater_id;label\na;harm;ann;1\n")


def test_mixed_types_show_how_to_declare_them(refused):
    message = refused(rows("a,harm,ann,1", "a,harm,gpt,unsure", "b,harm,ann,0"), schema=None)
    assert "mixed types: construct 'harm'" in message
    assert "labels.csv, line 3, column 'label'" in message
    assert "abstain: [unsure]" in message


def test_a_construct_that_is_not_declared_is_refused_with_the_nearest(refused):
    message = refused(rows("a,harm,ann,1", "a,harms,gpt,1"))
    assert "construct not in the schema, did you mean 'harm'?" in message
    assert "labels.csv, line 3, column 'construct'" in message
    assert "default:" in message


@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["labels.csv", "labels.tsv", "labels.jsonl"])
def test_an_empty_file_is_refused(refused, content, name):
    assert f"the file is empty ({name})" in refused(content, name=name)


def test_a_header_alone_is_refused(refused):
    assert "the table has no rows (labels.csv)" in refused(rows())
    with pytest.raises(LabelError, match=r"no rows \(DataFrame\)"):
        read_labels(pd.DataFrame(columns=HEADER.split(",")))


@pytest.mark.parametrize(
    ("content", "position", "line"),
    [
        (rows("a,harm,ann,1", "b,harm,café,1").encode("latin-1"), 56, 3),
        (rows("a,harm,ann,1").encode("utf-16"), 0, 1),
        (b"item_id,caf\xe9\n", 11, 1),
        (b"\xef\xbb\xbfitem_id,caf\xe9\n", 14, 1),
        (rows(*["a,harm,ann,1"] * 20_000).encode() + b"\xff", 33 + 20_000 * 13, 20_002),
    ],
)
def test_another_encoding_is_refused_with_its_first_byte(refused, content, position, line):
    message = refused(content)
    assert f"the file is not UTF-8 (labels.csv, line {line})" in message
    assert f"byte 0x{content[position]:02x} at position {position}" in message


def test_another_encoding_of_json_is_refused(refused):
    assert "the file is not UTF-8 (labels.jsonl, line 2)" in refused(
        b"{}\n\xe9", name="labels.jsonl"
    )


@pytest.mark.parametrize("bad", ["a,harm,ann", "a,harm,ann,1,2"])
def test_a_row_of_another_length_is_refused_with_its_line(refused, bad):
    message = refused(rows('a,harm,"an\nn",1', bad))
    assert "another number of fields than the header (labels.csv, line 4)" in message
    assert f"Got: '{bad.count(',') + 1} fields'. Allowed: 4 fields" in message


@pytest.mark.parametrize("ending", ["", "\n"])
def test_an_open_quote_is_refused_because_it_swallows_rows(refused, ending):
    text = rows(
        'a,harm,ann,1,"fine\n"', 'a,harm,gpt,1,"open', "b,harm,ann,1,", header=HEADER + ",note"
    )
    message = refused(text.rstrip() + ending)
    assert "a quote is opened and never closed (labels.csv, line 4)" in message


def test_a_single_quote_within_a_field_is_no_open_one(tmp_path):
    path = tmp_path / "labels.csv"
    text = rows('a,harm,ann,1,5" pipe', 'a,harm,gpt,1,"so\n"', header=HEADER + ",note")
    path.write_text(text.rstrip(), encoding="utf-8")
    assert read_labels(path, HARM).frame["note"].tolist() == ['5" pipe', "so\n"]


def test_an_unreadable_parquet_file_is_refused(refused):
    message = refused("item_id", name="labels.parquet")
    assert "can't be read as Parquet" in message
    assert "(labels.parquet)" in message


def test_a_damaged_gzip_file_is_refused(refused):
    whole = gzip.compress(rows("a,harm,ann,1").encode())
    for content in (b"item_id", whole[:-9]):
        assert "not valid gzip" in refused(content, name="labels.csv.gz")


@pytest.mark.parametrize(
    ("line", "piece"),
    [
        ("{", "not valid JSON"),
        ("[1]", "a line is no JSON object"),
        ('{"label": 1, "label": 0}', "key 'label' is there twice"),
    ],
)
def test_a_line_that_is_no_json_object_is_refused(refused, line, piece):
    message = refused('{"item_id": "a"}\n' + line, name="labels.jsonl")
    assert piece in message
    assert "labels.jsonl, line 2" in message


def test_a_cell_with_several_values_is_refused(refused):
    text = '{"item_id": "a", "construct": "harm", "rater_id": "ann", "label": [0, 1]}'
    message = refused(text, name="labels.jsonl")
    assert "a cell holds several values (labels.jsonl, line 1, column 'label')" in message


def test_an_unknown_extension_is_refused_with_those_known(refused):
    message = refused(rows("a,harm,ann,1"), name="labels.xlsx")
    assert "unknown kind of file" in message
    assert "'.parquet'" in message


def test_a_missing_file_is_refused_with_the_nearest(tmp_path):
    (tmp_path / "labels.csv").write_text(HEADER, encoding="utf-8")
    with pytest.raises(LabelError, match=r"No such file.*label\.csv.*Example: labels\.csv"):
        read_labels(tmp_path / "label.csv")
    with pytest.raises(LabelError, match="No such file"):
        read_labels(tmp_path / "nowhere" / "label.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(LabelError, match="can't be read"):
        read_labels(tmp_path / "folder.csv")


def test_one_rater_is_refused_and_the_way_out_named(refused):
    message = refused(rows("a,harm,ann,1", "b,harm,ann,0", "b,harm,gpt,"))
    assert "only one rater (labels.csv). Got: 'ann'" in message
    assert "overlap=False" in message


def test_raters_without_a_construct_in_common_are_refused(refused):
    message = refused(rows("a,harm,ann,1", "a,answer,gpt,no"))
    assert "no construct in common: nothing is labelled by two raters (labels.csv)" in message
    assert "{'ann': 'harm', 'gpt': 'answer'}" in message


def test_raters_without_an_item_in_common_are_refused(refused):
    message = refused(rows("1,harm,ann,1", "i1,harm,gpt,1"))
    assert "no item in common" in message
    assert "{'ann': '1', 'gpt': 'i1'}" in message


def test_other_kinds_of_rater_are_refused(refused):
    header = HEADER + ",rater_kind"
    message = refused(rows("a,harm,ann,1,human", "a,harm,gpt,1,Judge", header=header))
    assert "rater_kind is neither human nor judge, did you mean 'judge'?" in message
    assert "(labels.csv, line 3, column 'rater_kind'). Got: 'Judge'" in message
    message = refused(rows("a,harm,ann,1,human", "a,harm,gpt,1,", header=header))
    assert "neither human nor judge (labels.csv, line 3" in message


def test_a_rater_of_two_kinds_is_refused_with_both_lines(refused):
    lines = ["a,harm,ann,1,human", "a,harm,gpt,1,judge", "b,harm,ann,1,judge"]
    message = refused(rows(*lines, header=HEADER + ",rater_kind"))
    assert "rater 'ann' is of two kinds (labels.csv, lines 2 and 4" in message


def test_repeated_and_blank_column_names_are_refused(refused):
    message = refused(rows("a,harm,ann,1,0", header=HEADER + ",label"))
    assert "duplicate column names (labels.csv). Got: ['label']" in message
    message = refused(rows("0,a,harm,ann,1", header="," + HEADER))
    assert "column 1 has no name (labels.csv)" in message
    frame = pd.DataFrame([["a", "harm", 1, 2]], columns=["item_id", "construct", "ann", "ann"])
    with pytest.raises(LabelError, match=r"duplicate column names \(DataFrame\)"):
        read_labels(frame, wide="rater")


@pytest.mark.parametrize("column", ["item_id", "construct", "rater_id"])
def test_a_row_without_a_name_is_refused(refused, column):
    cells = {"item_id": "a", "construct": "harm", "rater_id": "ann", "label": "1"}
    message = refused(rows("a,harm,gpt,1", ",".join((cells | {column: " "}).values())))
    assert f"a row has no {column} (labels.csv, line 3, column '{column}')" in message


def test_one_identifier_in_two_spellings_is_refused(refused):
    message = refused(rows("1,harm,ann,1", "2,harm,ann,1", "1.0,harm,gpt,1"))
    assert "one item_id seems to be written in two ways (labels.csv, lines 2 and 4" in message
    assert "Got: ['1', '1.0']" in message


@pytest.mark.parametrize("weight", ["0", "-1", "inf", "nan", "", "heavy"])
def test_a_weight_that_is_no_positive_number_is_refused(refused, weight):
    text = rows("a,harm,ann,1,1", f"a,harm,gpt,1,{weight}", header=HEADER + ",weight")
    assert "not a weight (labels.csv, line 3, column 'weight')" in refused(text)


def test_two_weights_for_one_item_are_refused(refused):
    text = rows("a,harm,ann,1,1.5", "a,harm,gpt,1,2", header=HEADER + ",weight")
    assert "item 'a' has two weights (labels.csv, lines 2 and 3, column 'weight')" in refused(text)


@pytest.mark.parametrize("column", ["order", "sitting"])
def test_a_column_without_an_order_is_refused(refused, column):
    text = rows("a,harm,ann,1,1", "a,harm,gpt,1,late", header=f"{HEADER},{column}")
    message = refused(text)
    assert f"{column} has numbers and words, which have no order" in message
    assert "lines 2 and 3" in message


def test_no_usable_label_is_refused(refused):
    message = refused(rows("a,harm,ann,", "a,harm,gpt,unsure"))
    assert "no usable label: all are missing or abstentions (labels.csv)" in message
    assert "no usable label" in refused(rows("a,harm,ann,", "a,harm,gpt,NA"), schema=None)
