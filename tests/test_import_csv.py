"""`graphmem import csv`: tables of entities and relations."""

from datetime import date
from pathlib import Path

import pytest

from graphmem.memory import Memory
from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS, Row

PEOPLE = (
    "Name,type,Tags,aliases,Observations,Team,since,day,active,code,confidence\n"
    'Ana Weber,Person,lead; ops,ana; AW,"Likes tea.\nKnows the quay.",Sea,2019,2026-03-01,true,007,'
    "0.9\n"
    "Ben,,,,,,,,,,\n"
)
LINKS = "from,relation,to,note,weight,year\nBen,REPORTS_TO,Ana Weber,since May,0.5,2020\n"


def read(tmp_path: Path, content: str | bytes, name: str = "table.csv") -> list[Row]:
    content = content if isinstance(content, bytes) else content.encode()
    (tmp_path / name).write_bytes(content)
    return list(FORMATS["csv"].read(tmp_path / name))


def refused(rows: list[Row]) -> dict[str, str]:
    return {row.place: row.value.reason or "" for row in rows if isinstance(row.value, Item)}


def test_a_row_is_an_entity_with_a_field_in_each_column(tmp_path: Path) -> None:
    ana, ben = [row.value for row in read(tmp_path, PEOPLE)]
    assert isinstance(ana, Entity)
    assert (ana.name, ana.kind, ana.source, ana.confidence) == (
        "Ana Weber", "Person", "table.csv", 0.9,
    )  # fmt: skip
    assert (ana.tags, ana.aliases) == (("lead", "ops"), ("ana", "AW"))
    assert [observation.text for observation in ana.observations] == [
        "Likes tea.",
        "Knows the quay.",
    ]
    assert ana.attributes == {
        "Team": "Sea", "since": 2019, "day": date(2026, 3, 1), "active": True, "code": "007",
    }  # fmt: skip
    assert isinstance(ben, Entity)
    assert (ben.name, ben.tags, ben.attributes) == ("Ben", (), {})


def test_booleans_are_read_as_spreadsheets_and_pandas_write_them(tmp_path: Path) -> None:
    table = "name,spreadsheet,pandas,word\nA,TRUE,False,tRUE\nB,FALSE,True,yes\n"
    first, second = [row.value for row in read(tmp_path, table)]
    assert isinstance(first, Entity)
    assert isinstance(second, Entity)
    assert first.attributes == {"spreadsheet": True, "pandas": False, "word": "tRUE"}
    assert second.attributes == {"spreadsheet": False, "pandas": True, "word": "yes"}


def test_a_row_is_a_relation_where_the_columns_name_its_ends(tmp_path: Path) -> None:
    (relation,) = [row.value for row in read(tmp_path, LINKS)]
    assert isinstance(relation, Relation)
    assert (relation.start, relation.relation, relation.end) == ("Ben", "REPORTS_TO", "Ana Weber")
    assert (relation.note, relation.weight, relation.attributes) == (
        "since May",
        0.5,
        {"year": 2020},
    )


def test_a_column_of_sources_wins_over_the_place_of_the_file(tmp_path: Path) -> None:
    ana, ben = [row.value for row in read(tmp_path, "name,source\nAna,wiki\nBen,\n")]
    assert isinstance(ana, Entity)
    assert isinstance(ben, Entity)
    assert (ana.source, ben.source) == ("wiki", "table.csv")


def test_a_column_called_type_beside_the_kind_is_an_attribute(tmp_path: Path) -> None:
    (ana,) = [row.value for row in read(tmp_path, "name,kind,type\nAna,Person,guest\n")]
    assert isinstance(ana, Entity)
    assert (ana.kind, ana.attributes) == ("Person", {"type_": "guest"})


def test_a_row_is_at_its_first_line(tmp_path: Path) -> None:
    rows = read(tmp_path, 'name,text\nAna,"one\ntwo"\nBen,three\n')
    assert [row.place for row in rows] == ["table.csv:2", "table.csv:4"]


def test_blank_items_of_a_list_say_nothing(tmp_path: Path) -> None:
    (ana,) = [row.value for row in read(tmp_path, "name,tags\nAna,lead; ;ops;\n")]
    assert isinstance(ana, Entity)
    assert ana.tags == ("lead", "ops")


def test_a_column_with_a_name_of_graphmems_own_is_an_attribute_of_a_relation(
    tmp_path: Path,
) -> None:
    content = "from,relation,to,asserted_by\nBen,REPORTS_TO,Ana,Cara\n"
    (relation,) = [row.value for row in read(tmp_path, content)]
    assert isinstance(relation, Relation)
    assert list(relation.attributes.values()) == ["Cara"]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("\ufeffname;text\r\nAna;a, b\r\n", "x.csv"),
        ("name\ttext\nAna\ta, b\n", "x.csv"),
        ("name\ttext\nAna\ta, b\n", "x.TSV"),
        ("name\ttext\tborn, or not, or when\nAna\ta, b\t\n", "x.tsv"),
        ('name,text\rAna,"a, b"\r,\r\r', "x.csv"),
    ],
)
def test_tables_of_spreadsheets_are_read(tmp_path: Path, content: str, name: str) -> None:
    (ana,) = [row.value for row in read(tmp_path, content, name)]
    assert isinstance(ana, Entity)
    assert (ana.name, ana.text) == ("Ana", "a, b")


def test_a_row_that_cannot_be_used_is_refused_with_its_line(tmp_path: Path) -> None:
    rows = read(
        tmp_path,
        'name,text,confidence\nAna,"one\ntwo",\n,no name,\nBen,,high\nCara,,1,more\n'
        "Dora,,,,\nEve,short\n",
    )
    names = [row.value.name for row in rows if isinstance(row.value, Entity)]
    assert names == ["Ana", "Dora", "Eve"]
    reasons = refused(rows)
    assert list(reasons) == ["table.csv:4", "table.csv:5", "table.csv:6"]
    assert "confidence must be a number" in reasons["table.csv:5"]
    assert reasons["table.csv:6"] == "it has 4 cells, and the first line names 3 columns"


@pytest.mark.parametrize(
    ("content", "place", "reason"),
    [
        ("", "table.csv", "the first line must name the columns"),
        ("title,text\na,b\n", "table.csv", "got 'title, text'"),
        ("from,to\na,b\n", "table.csv", "among them `name`, or `from`, `relation` and `to`"),
        ("name,Text,text\na,b,c\n", "table.csv", "the column 'text' stands twice"),
        ('name,text\na,"b\nc,d\n', "table.csv:2", "what follows is not read"),
        ("name\ncaf\xe9\n".encode("latin-1"), "table.csv", "not UTF-8"),
        ("from,relation,to\na,,b\n", "table.csv:2", "relation"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_the_reason(
    tmp_path: Path, content: str | bytes, place: str, reason: str
) -> None:
    ((refused_place, why),) = refused(read(tmp_path, content)).items()
    assert refused_place == place
    assert reason in why


@pytest.mark.parametrize(
    ("content", "place", "reason"),
    [
        ('name,text,note\na,b,"c"\nd,"e\nf","open\ng\nh\n', "table.csv:4", "here has no end"),
        ('name\ttext\na\t"open\nb\tc\n', "table.csv:2", "here has no end"),
        ('name,"text\na,b\n', "table.csv:1", "here has no end"),
        ('name,text\na,"open\nb,"c"\n', "table.csv:2", "ends in line 3 with text after it"),
    ],
)
def test_a_quotation_without_an_end_is_refused_where_it_begins(
    tmp_path: Path, content: str, place: str, reason: str
) -> None:
    reasons = refused(read(tmp_path, content, "table.csv"))
    assert list(reasons) == [place]
    assert f"{reason}; what follows is not read" in reasons[place]


def test_a_long_text_fits_into_a_cell(tmp_path: Path) -> None:
    (entity,) = [row.value for row in read(tmp_path, f"name,text\nAna,{'x' * 500_000}\n")]
    assert isinstance(entity, Entity)
    assert len(entity.text or "") == 500_000


def test_a_folder_of_tables_changes_nothing_when_it_is_imported_again(
    memory: Memory, tmp_path: Path
) -> None:
    (tmp_path / "links.csv").write_text(LINKS)
    (tmp_path / "people.csv").write_text(PEOPLE + "Ben,Person,quay,,,,,,,,\nCara,,,,,,,,,,\n")
    assert memory.import_("csv", tmp_path).refused == ()
    memory.remember([{"name": "Ben", "observations": ["Noted by hand."]}])
    before = list(memory.export(history=True))
    report = memory.import_("csv", tmp_path)
    assert {item.outcome for item in report.items} == {"unchanged"}
    assert list(memory.export(history=True)) == before
    (page,) = memory.get("Ben")
    assert (page.kind, page.entity.tags) == ("Person", ("quay",))
    assert [link.name for link in page.neighbours] == ["Ana Weber"]
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "links.csv").unlink()
    memory.import_("csv", tmp_path)
    (page,) = memory.get("Ben")
    assert (page.entity.tags, page.neighbours) == ((), ())
    assert [observation.text for observation in page.entity.observations] == ["Noted by hand."]
    assert memory.get("Cara")[0].status == "removed"


def test_columns_that_words_do_not_find_are_noted_with_the_next_step(
    memory: Memory, tmp_path: Path
) -> None:
    table = tmp_path / "berths.csv"
    table.write_text("name,quay,lamp,depth,owner,buoy\nBerth 1,Nord,green,4,Vera,red\n", "utf-8")
    preview = memory.import_("csv", table, dry_run=True)
    first = memory.import_("csv", table)
    (note,) = first.notes
    assert note == (
        "plain words do not find the texts of the columns 'quay', 'lamp', 'owner' and 1 more, "
        "since they are custom attributes: filter by `where`, or put them into the column "
        "`observations`"
    )
    assert preview.notes == first.notes
    assert memory.import_("csv", table).notes == ()


@pytest.mark.parametrize("content", ["name,depth\nBerth 1,4\n", "name,text\nBerth 1,Nord\n", LINKS])
def test_columns_of_figures_texts_and_relations_need_no_note(
    memory: Memory, tmp_path: Path, content: str
) -> None:
    memory.remember([{"name": "Ben"}, {"name": "Ana Weber"}])
    (tmp_path / "table.csv").write_text(content, "utf-8")
    assert memory.import_("csv", tmp_path / "table.csv").notes == ()


def test_a_row_that_is_refused_keeps_its_own_entity_and_no_deleted_row(
    memory: Memory, tmp_path: Path
) -> None:
    rows = "name,confidence\nAna,1\nBen,1\nCara,1\nDora,1\n"
    (tmp_path / "people.csv").write_text(rows)
    memory.import_("csv", tmp_path)
    memory.rename("Ben", "Benno")
    (tmp_path / "people.csv").write_text("name,confidence\nAna,1\nBen,high\nDora,often\n")
    report = memory.import_("csv", tmp_path)
    assert [item.name for item in report.refused] == ["Ben", "Dora"]
    assert [item.name for item in report.items if item.outcome == "removed"] == ["Cara"]
    assert {memory.get(name)[0].status for name in ("Ana", "Benno", "Dora")} == {"active"}


@pytest.mark.parametrize("row", [",1", f"{'x' * 600},1", "Ben,1,more"])
def test_a_row_that_may_be_of_any_entity_keeps_all(
    memory: Memory, tmp_path: Path, row: str
) -> None:
    (tmp_path / "people.csv").write_text("name,confidence\nAna,1\nBen,1\n")
    memory.import_("csv", tmp_path)
    (tmp_path / "people.csv").write_text(f"name,confidence\n{row}\n")
    assert memory.import_("csv", tmp_path).counts("entity")["removed"] == 0


def test_a_relation_that_is_refused_keeps_relations_and_no_deleted_entity(
    memory: Memory, tmp_path: Path
) -> None:
    (tmp_path / "people.csv").write_text("name,aliases\nAna,A\nBen,\nCara,\n")
    (tmp_path / "links.csv").write_text("from,relation,to,weight\nA,KNOWS,Ben,0.5\n")
    memory.import_("csv", tmp_path)
    (tmp_path / "people.csv").write_text("name,aliases\nAna,A\nBen,\n")
    (tmp_path / "links.csv").write_text("from,relation,to,weight\nA,KNOWS,Ben,high\n")
    report = memory.import_("csv", tmp_path)
    assert [item.name for item in report.items if item.outcome == "removed"] == ["Cara"]
    assert [link.name for link in memory.get("Ana")[0].neighbours] == ["Ben"]
