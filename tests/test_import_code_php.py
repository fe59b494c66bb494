"""Importing PHP: what becomes a symbol, how it is called, and what it leads to."""

from pathlib import Path

import pytest

from code_folders import read, write

SHOP = r"""<html>
<?php
declare(strict_types=1);

namespace App\Shops;

use App\Tills\Till;

// How many.
const MOST = 3;
define('APP_LIMIT', 4); // of all

/** Sells. */
#[Service('shop')]
final class Shop extends Base implements Opens
{
    use Logs;

    /** Of a row. */
    public const MAX_ROWS = 3, MIN_ROWS = 1;

    private ?Till $till = null;

    // Starts.
    #[Pure]
    public function __construct(private readonly Store $store) {}

    abstract protected function close(): void;

    public static function &open(int ...$doors): static|null
    {
        $inner = function () { return 1; };
        return new static();
    }
}

interface Opens { const DOORS = 1; public function doors(): int; }
trait Logs { private function log(): void {} }
enum Suit: string implements Opens { case Hearts = 'H'; const WILD = self::Hearts;
  public function label(): string { return 'x'; } }

function sell(Shop $shop): Shop { function hidden() {} return $shop; }
if (!function_exists('helper')) {
    function helper() { return new class { public function inside() {} }; }
}
return new class extends Base { const LOST = 1; public function up() {} };
?>
<b>Sold out</b>
"""


def test_a_file_becomes_the_symbols_it_defines(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"a.php": SHOP}))

    assert code.symbols("a.php") == [
        ("Class", "Shop", 14, 35),
        ("Method", "Shop::__construct", 25, 26),
        ("Method", "Shop::open", 30, 34),
        ("Interface", "Opens", 37, 37),
        ("Trait", "Logs", 38, 38),
        ("Method", "Logs::log", 38, 38),
        ("Enum", "Suit", 39, 40),
        ("Method", "Suit::label", 40, 40),
        ("Function", "sell", 42, 42),
        ("Function", "helper", 44, 44),
        ("Constant", "MOST", 10, 10),
        ("Constant", "APP_LIMIT", 11, 11),
        ("Constant", "Shop::MAX_ROWS", 20, 20),
        ("Constant", "Shop::MIN_ROWS", 20, 20),
        ("Method", "Shop::close", 28, 28),
        ("Constant", "Opens::DOORS", 37, 37),
        ("Method", "Opens::doors", 37, 37),
        ("Constant", "Suit::WILD", 39, 39),
    ]
    assert "a.php::Shop CONTAINS a.php::Shop::open" in code.contains


@pytest.mark.parametrize(
    ("symbol", "title", "text"),
    [
        ("MOST", "const MOST = 3", "// How many.\nconst MOST = 3;"),
        ("APP_LIMIT", "define('APP_LIMIT', 4)", "define('APP_LIMIT', 4); // of all"),
        (
            "Shop::__construct",
            "public function __construct(private readonly Store $store)",
            "    // Starts.\n    #[Pure]\n    public function __construct(private readonly Store",
        ),
        ("sell", "function sell(Shop $shop): Shop", "function sell(Shop $shop): Shop { function "),
        ("Shop", "final class Shop extends Base implements Opens", "/** Sells. */\n#[Service("),
    ],
)
def test_a_symbol_has_its_comments_and_attributes(
    tmp_path: Path, symbol: str, title: str, text: str
) -> None:
    entity = read(write(tmp_path, {"a.php": SHOP})).entities[f"a.php::{symbol}"]

    assert entity.title == title
    assert (entity.text or "").startswith(text)


def test_the_text_of_a_class_has_its_methods_signatures_alone(tmp_path: Path) -> None:
    shop = read(write(tmp_path, {"a.php": SHOP})).entities["a.php::Shop"]

    assert "public static function &open(int ...$doors): static|null …" in (shop.text or "")
    assert "abstract protected function close(): void;" in (shop.text or "")
    assert "private ?Till $till = null;" in (shop.text or "")
    assert "$inner" not in (shop.text or "")
    assert "$inner" in str(shop.attributes["code"])


def test_what_stands_beside_the_symbols_is_the_text_of_the_file(tmp_path: Path) -> None:
    text = read(write(tmp_path, {"a.php": SHOP})).entities["a.php"].text or ""

    assert text.startswith("<html>\n<?php\n")
    assert "<b>Sold out</b>" in text
    assert "public function up()" in text
    assert "class Shop" not in text


@pytest.mark.parametrize(
    ("source", "aliases"),
    [
        (r"namespace App\Net; class Url { }", ("Url()", "Net::Url")),
        ("class Url { }", ("Url()",)),
        ("class Url { function parse() {} }", ("Url::parse", "parse()")),
        (r"namespace Net; function parse_url() {}", ("parse_url", "Net::parse_url")),
        ("const READ_TIMEOUT = 3;", ("READ_TIMEOUT",)),
    ],
)
def test_a_symbol_is_called_by_its_namespace(
    tmp_path: Path, source: str, aliases: tuple[str, ...]
) -> None:
    code = read(write(tmp_path, {"net/url.php": f"<?php {source}"}))

    assert list(code.entities.values())[-1].aliases == aliases
    assert code.entities["net/url.php"].aliases == ("url.php",)


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("tests/helpers.php", True),
        ("src/Tests/Helpers.php", True),
        ("app/ShopTest.php", True),
        ("app/ShopTestCase.php", True),
        ("test_shop.php", True),
        ("test-shop.php", True),
        ("shop_test.php", True),
        ("app/Testing/Shop.php", False),
        ("app/Contest.php", False),
        ("app/latest.php", False),
        ("Testament.php", False),
    ],
)
def test_a_file_holds_tests_by_its_path(tmp_path: Path, path: str, *, test: bool) -> None:
    entities_by_name = read(write(tmp_path, {path: "<?php function a() {}"})).entities

    assert entities_by_name[path].attributes["test"] is test
    assert entities_by_name[f"{path}::a"].attributes["test"] is test


def test_an_included_file_is_read_as_php(tmp_path: Path) -> None:
    files = {"a.php": "<?php tide();", "tides.inc": "<?php function tide() {}", "b.js": ""}
    code = read(write(tmp_path, files))

    assert code.entities["tides.inc::tide"].attributes["language"] == "php"
    assert code.links == {"a.php CALLS tides.inc::tide"}


# Links


FILES = {
    "src/Store.php": (
        "<?php\nnamespace App\\Models;\nclass Store extends Base {\n"
        "  public function get() { return $this->load(); }\n"
        "  public function load(): self { return $this; }\n"
        "  /** @return $this */\n  public function chain() { return $this; }\n"
        "  public static function make(): static { return new static(); }\n}\n"
        "function connect(): Store { return new Store(); }\n"
    ),
    "src/Base.php": (
        "<?php\nnamespace App\\Models;\nabstract class Base { use Saves;\n"
        "  public function save() {}\n  public function touch() {}\n}\n"
        "trait Saves { public function flush() {} }\n"
        "interface Reads { }\n"
    ),
    "src/Rows.php": "<?php\nnamespace App\\Models\\Store;\nclass Row { function cut() {} }\n",
    "src/helpers.php": "<?php\nfunction helper() {}\nclass Outer { function run() {} }\n",
}
STORE, BASE = "src/Store.php::Store", "src/Base.php::Base"
A = r"<?php namespace App\Web; use App\Models\Store; "


def links(tmp_path: Path, source: str) -> set[str]:
    before = read(write(tmp_path / "before", FILES)).links
    return read(write(tmp_path / "after", FILES | {"a.php": source})).links - before


@pytest.mark.parametrize(
    ("source", "link"),
    [
        (f"{A} function a(Store $s) {{ $s->get(); }}", f"a.php::a CALLS {STORE}::get"),
        (f"{A} function a(?Store $s) {{ $s?->get(); }}", f"a.php::a CALLS {STORE}::get"),
        (f"{A} function a(null|Store $s) {{ $s->get(); }}", f"a.php::a CALLS {STORE}::get"),
        (f"{A} function a(Store|false $s) {{ $s->get(); }}", f"a.php::a CALLS {STORE}::get"),
        (f"{A} function a() {{ $s = new Store(); $s->get(); }}", f"a.php::a CALLS {STORE}::get"),
        (f"{A} function a() {{ $s = new Store(); $s->get(); }}", f"a.php::a CALLS {STORE}"),
        (f"{A} function a() {{ (new Store())->get(); }}", f"a.php::a CALLS {STORE}::get"),
        (f"{A} function a() {{ Store::make(); }}", f"a.php::a CALLS {STORE}::make"),
        (f"{A} function a() {{ $s = Store::make(); $s->get(); }}", f"a.php::a CALLS {STORE}::get"),
        (f"{A} function a(Store $s) {{ $t = $s->chain(); $t->get(); }}", f"a CALLS {STORE}::get"),
        (f"{A} function a(Store $s) {{ $t = $s->load(); $t->get(); }}", f"a CALLS {STORE}::get"),
        (
            f"{A} function a(Store $s) {{ $t = clone $s; $t->get(); }}",
            f"a.php::a CALLS {STORE}::get",
        ),
        (f"{A} function a(Store $s) {{ $s->save(); }}", f"a.php::a CALLS {BASE}::save"),
        (
            f"{A} function a(Store $s) {{ $s->flush(); }}",
            "a.php::a CALLS src/Base.php::Saves::flush",
        ),
        (f"{A} $s = new Store(); $s->get();", f"a.php CALLS {STORE}::get"),
        (
            f"{A} function a() {{ try {{}} catch (Store $s) {{ $s->get(); }} }}",
            f"a.php::a CALLS {STORE}::get",
        ),
        (
            f"{A} class A {{ private ?Store $s; function a() {{ $this->s->get(); }} }}",
            f"a.php::A::a CALLS {STORE}::get",
        ),
        (
            f"{A} class A {{ private static Store $s; function a() {{ self::$s->get(); }} }}",
            f"a.php::A::a CALLS {STORE}::get",
        ),
        (
            (
                f"{A} class A {{ function __construct(private Store $s) {{}}"
                " function s() {} function a() { $this->s->get(); } }"
            ),
            f"a.php::A::a CALLS {STORE}::get",
        ),
        (
            (
                f"{A} class A {{ function __construct(Store $s) {{ $this->s = $s; }}"
                " function a() { $this->s?->get(); } }"
            ),
            f"a.php::A::a CALLS {STORE}::get",
        ),
        (
            (
                f"{A} class A {{ /** @var Store|null */ private $s;"
                " function a() { $this->s->get(); } }"
            ),
            f"a.php::A::a CALLS {STORE}::get",
        ),
        (
            (
                f"{A} /**\n * @param  Store<int, array<int>>  $s  It.\n */"
                " function a($s) { $s->get(); }"
            ),
            f"a.php::a CALLS {STORE}::get",
        ),
        (
            f"{A} function a($all) {{ /** @var Store $s */\n $s = $all[0]; $s->get(); }}",
            f"a.php::a CALLS {STORE}::get",
        ),
        (
            f"{A} class A extends Store {{ function get() {{ parent::get(); }} }}",
            f"a.php::A::get CALLS {STORE}::get",
        ),
        (
            (
                f"{A} class A extends Store implements \\App\\Models\\Reads {{"
                " use \\App\\Models\\Saves; function get() { parent::get(); } }"
            ),
            f"a.php::A::get CALLS {STORE}::get",
        ),
        (
            f"{A} class A extends Store {{ function a() {{ $this->save(); }} }}",
            f"a.php::A::a CALLS {BASE}::save",
        ),
        (
            f"{A} class A extends Store {{ static function a() {{ static::make(); }} }}",
            f"a.php::A::a CALLS {STORE}::make",
        ),
        (
            (
                f"{A} trait T {{ function save() {{}} }}"
                " class A extends Store { use T; function a() { $this->save(); } }"
            ),
            "a.php::A::a CALLS a.php::T::save",
        ),
        (
            f"{A} class A {{ function b() {{}} function a() {{ self::b(); }} }}",
            "a CALLS a.php::A::b",
        ),
        (
            f"{A} class A {{ function b() {{}} function a() {{ f($this->b(...)); }} }}",
            "a CALLS a.php::A::b",
        ),
        (
            f"{A} enum S {{ case One; function b() {{}} }} function a() {{ S::One->b(); }}",
            "a.php::a CALLS a.php::S::b",
        ),
        (
            f"{A} enum S {{ case One; function b() {{}} function a() {{ self::One->b(); }} }}",
            "a.php::S::a CALLS a.php::S::b",
        ),
        (f"{A} class A extends Store {{ }}", f"a.php::A INHERITS {STORE}"),
        (r"<?php class A extends \App\Models\Store { }", f"a.php::A INHERITS {STORE}"),
        (r"<?php namespace App\Models; class A extends Store { }", f"a.php::A INHERITS {STORE}"),
        (r"<?php namespace App\Models { class A extends Store { } }", f"a.php::A INHERITS {STORE}"),
        (r"<?php class A { use App\Models\Saves; }", "a.php::A INHERITS src/Base.php::Saves"),
        (r"<?php trait A { use App\Models\Saves; }", "a.php::A INHERITS src/Base.php::Saves"),
        (
            r"<?php enum A: int implements App\Models\Reads { case B = 1; }",
            "a.php::A INHERITS src/Base.php::Reads",
        ),
        (r"<?php interface A extends App\Models\Reads {}", "a.php::A INHERITS src/Base.php::Reads"),
        (r"<?php use App\Models\Store as S; new S();", f"a.php CALLS {STORE}"),
        (r"<?php use \App\Models\Store as S; new S();", f"a.php CALLS {STORE}"),
        (r"<?php use App\{Models\Store as S, Models\Base}; new S();", f"a.php CALLS {STORE}"),
        (r"<?php use App\Models; new Models\Store();", f"a.php CALLS {STORE}"),
        (r"<?php use App\Models as M; M\connect();", "a.php CALLS src/Store.php::connect"),
        (
            r"<?php use function App\Models\connect; connect();",
            "a.php CALLS src/Store.php::connect",
        ),
        (
            r"<?php use App\Models\{function connect as open}; open();",
            "a.php CALLS src/Store.php::connect",
        ),
        (
            r"<?php use function App\Models\{connect}; $s = connect(); $s->get();",
            f"a.php CALLS {STORE}::get",
        ),
        (
            r"<?php namespace App\Models; $s = new Store(); $r = new Store\Row();",
            "a.php CALLS src/Rows.php::Row",
        ),
        (r"<?php namespace App\Models; namespace\connect();", "a.php CALLS src/Store.php::connect"),
        (r"<?php namespace App; helper(); function a() {}", "a.php CALLS src/helpers.php::helper"),
        (r"<?php namespace App; \helper();", "a.php CALLS src/helpers.php::helper"),
        ("<?php (new Outer())->run();", "a.php CALLS src/helpers.php::Outer::run"),
        (r"<?php namespace App; use Outer; new Outer();", "a.php CALLS src/helpers.php::Outer"),
        ("<b><?= helper() ?></b>", "a.php CALLS src/helpers.php::helper"),
        (r"<?php use App\Models\Store;", "a.php IMPORTS src/Store.php"),
        (r"<?php use App\Models\{Store, Base};", "a.php IMPORTS src/Base.php"),
        (r"<?php use App\Models\Store\Row;", "a.php IMPORTS src/Rows.php"),
    ],
)
def test_a_name_leads_to_what_the_folder_says_it_means(
    tmp_path: Path, source: str, link: str
) -> None:
    assert any(found.endswith(link) for found in links(tmp_path, source))


@pytest.mark.parametrize(
    "source",
    [
        "strlen('x'); new DateTime(); Cache::get();",
        "#[Outer] class A {}",
        "class A { const B = 1; function run() {} function a() { self::B->run(); A::C->run(); } }",
        r"use Other\Store; function a(Store $s) { $s->get(); }",
        r"namespace App\Web; function a(Store $s) { $s->get(); }",
        r"namespace App\Web; new Outer();",
        r"namespace App\Web; connect();",
        "function a($s) { $s->get(); }",
        "function a() { $helper(); $s->$name(); new $class(); }",
        "class A { function get() {} function a($s) { get(); $s->get(); $this->none(); } }",
        r"use App\Models\Reads; class A { private string $s; function a() { $this->s->get(); } }",
        r"/** @param \App\Models\Store[] $s */ function a($s) { $s->get(); }",
        r"/** @param \App\Models\Store $s */ function a(int $s) { $s->get(); }",
        r"function a(\App\Models\Store ...$s) { $s->get(); }",
        r"function a(\App\Models\Store|Other $s) { $s->get(); }",
        r"function a(\App\Models\Store $s) { $s[0]->get(); $s->rows[1]->get(); }",
        r"class A { private \App\Models\Store $s; function a() { $this->s(); $s->get(); } }",
        r"$s = foo(); function a() { $s->get(); }",
        "function a() { a(); }",
        "class A extends Exception { function a() { parent::run(); } }",
        (
            "class A { function run() {} function a() {"
            " return new class { function b() { $this->run(); self::run(); } }; } }"
        ),
        "class A { public function a() { $b = new class { private Outer $o; }; $o->run(); } }",
    ],
)
def test_ambiguous_names_lead_nowhere(tmp_path: Path, source: str) -> None:
    calls = {link for link in links(tmp_path, f"<?php {source}") if " IMPORTS " not in link}

    assert calls == set()


def test_a_file_leads_to_its_own_of_several_of_one_name(tmp_path: Path) -> None:
    plugin = "<?php function boot() {}\nboot();\n"
    code = read(write(tmp_path, {"a.php": plugin, "b.php": plugin, "c.php": "<?php boot();"}))

    assert code.links == {"a.php CALLS a.php::boot", "b.php CALLS b.php::boot"}


def test_an_import_says_what_it_takes(tmp_path: Path) -> None:
    source = r"<?php use App\Models\{Store, function connect}; use App\Models\Base as B;"
    code = read(write(tmp_path, FILES | {"a.php": source}))
    notes = {
        relation.end: relation.note for relation in code.relations if relation.start == "a.php"
    }

    assert notes == {"src/Store.php": "Store, connect", "src/Base.php": "Base"}


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("", {"a.php"}),
        ("<p>Hello</p>\n", {"a.php"}),
        ("<?php", {"a.php"}),
        (
            "<?php function good() {}\nclass {{{ ) function\n}}}\nfunction also_good() {}\n",
            {"a.php", "a.php::good", "a.php::also_good"},
        ),
    ],
)
def test_of_a_file_with_errors_what_can_be_read_is_taken(
    tmp_path: Path, content: str, names: set[str]
) -> None:
    assert set(read(write(tmp_path, {"a.php": content})).entities) == names


@pytest.mark.parametrize(
    "content",
    [
        "<?php $x = " + "[\n" * 5_000 + "1" + "]\n" * 5_000 + ";",
        "<?php function f() {\n" * 2_000 + "}\n" * 2_000,
        "<?php $x = $a\n" + "->b()\n" * 20_000 + ";",
        "<?php\n" + "$x = new class { function a() { $this->b(); } };\n" * 10_000,
        "<?php\n" + "namespace A { class B {\n" * 2_000 + "}}\n" * 2_000,
        "<?php\n/** @param " + "A<\n" * 20_000 + " $a */\nfunction f($a) {}\n",
        "<?php /** " + "@param A $a\n" * 40_000 + "*/ function f(" + "$a,\n" * 40_000 + "$b) {}",
        "<?php if ($a) {} " + "\nelseif ($a) {}" * 20_000,
        "<?php '\"{[<\\\n" * 20_000,
    ],
)
def test_nothing_is_too_deep_or_too_odd_to_be_read(tmp_path: Path, content: str) -> None:
    code = read(write(tmp_path, {"a.php": content, "b.php": ""}))

    assert "b.php" in code.entities
    assert {"a.php"} == code.refused.keys() | ({"a.php"} & code.entities.keys())


def test_calls_on_the_items_of_a_list_of_php_are_followed(tmp_path: Path) -> None:
    source = (
        "<?php\nnamespace App;\n"
        "class Row { function save() {} function drop() {} }\n"
        "class Rows {\n"
        "  /** @var Row[] */\n  private array $rows = [];\n"
        "  /** @var array<string, Row>|null */\n  private $byName;\n"
        "  function all() { foreach ($this->rows as $row) { $row->save(); } }\n"
        "  function named() { foreach ($this->byName as $name => $row) { $row->save(); } }\n"
        "  /**\n   * @param iterable<Row> $rows Those.\n   * @param Row[] $more\n   */\n"
        "  function given(iterable $rows, $more) {\n"
        "    foreach ($rows as &$row) { $row->save(); }\n"
        "    foreach ($more as $other) { $other->drop(); }\n  }\n"
        "  /** @return list<Row> */\n  function rows(): array { return $this->rows; }\n"
        "  /** @return \\Generator<int, Row> */\n  abstract function lines(): \\Generator;\n"
        "  function results() {\n    foreach ($this->rows() as $row) { $row->save(); }\n"
        "    foreach ($this->lines() as $line) { $line->drop(); }\n  }\n"
        "  /** @param string[] $names */\n"
        "  function names(array $names) { foreach ($names as $row) { $row->save(); } }\n}\n"
    )

    found = read(write(tmp_path, {"Rows.php": source})).links
    assert {link for link in found if "Row::" in link} == {
        "Rows.php::Rows::all CALLS Rows.php::Row::save",
        "Rows.php::Rows::named CALLS Rows.php::Row::save",
        "Rows.php::Rows::given CALLS Rows.php::Row::save",
        "Rows.php::Rows::given CALLS Rows.php::Row::drop",
        "Rows.php::Rows::results CALLS Rows.php::Row::save",
        "Rows.php::Rows::results CALLS Rows.php::Row::drop",
    }
