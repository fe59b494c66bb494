"""Importing Ruby: what becomes a symbol, and what its names join."""

from pathlib import Path

import pytest

from code_folders import links, read, write

STORE = """require "json"

# Keeps users.
class Shop::Store < Base # of rows
  # Inside.
  include Counts

  # Most.
  MAX_ROWS = 3 # rows
  Limit = 4

  # A point.
  Point = Struct.new(:x, :y) do
    def length = x + y
  end

  # Opens one.
  def self.open(path)
    new(path)
  end

  class << self
    def close!; end
  end

  # Gets one.
  def get_user(
    key,
    raw: false
  )
    # Not of the signature.
    LOCAL_ROWS = 1
    rows[key]
  end

  private def helper; end
  def valid?; end
  def name=(name); end
  def [](key); end
  def <=>(other) = 0
end

# Only a namespace.
module Outer
  module Inner
    # Mixed in.
    module Counts
      def count; end
    end
    Missing = Class.new(StandardError)
  end
end

def main
  def inner; end
end
"""


# Symbols


def test_a_file_of_ruby_becomes_the_symbols_it_defines(tmp_path: Path) -> None:
    code = read(write(tmp_path, {"store.rb": STORE}))

    assert not code.refused
    assert code.symbols("store.rb") == [
        ("Class", "Shop::Store", 4, 41),
        ("Class", "Shop::Store::Point", 13, 15),
        ("Method", "Shop::Store::Point::length", 14, 14),
        ("Method", "Shop::Store::open", 18, 20),
        ("Method", "Shop::Store::close!", 23, 23),
        ("Method", "Shop::Store::get_user", 27, 34),
        ("Method", "Shop::Store::helper", 36, 36),
        ("Method", "Shop::Store::valid?", 37, 37),
        ("Method", "Shop::Store::name=", 38, 38),
        ("Method", "Shop::Store::[]", 39, 39),
        ("Method", "Shop::Store::<=>", 40, 40),
        ("Trait", "Outer::Inner::Counts", 47, 49),
        ("Method", "Outer::Inner::Counts::count", 48, 48),
        ("Class", "Outer::Inner::Missing", 50, 50),
        ("Function", "main", 54, 56),
        ("Constant", "Shop::Store::MAX_ROWS", 9, 9),
    ]


@pytest.mark.parametrize(
    ("symbol", "text", "signature"),
    [
        ("Shop::Store::MAX_ROWS", "  # Most.\n  MAX_ROWS = 3 # rows", "MAX_ROWS = 3"),
        (
            "Shop::Store::open",
            "  # Opens one.\n  def self.open(path)\n    new(path)\n  end",
            "def self.open(path)",
        ),
        ("Shop::Store::helper", "  private def helper; end", "private def helper"),
        (
            "Outer::Inner::Counts",
            "    # Mixed in.\n    module Counts\n      def count …\n    end",
            "module Counts",
        ),
    ],
)
def test_a_symbol_of_ruby_has_its_comments_and_its_signature(
    tmp_path: Path, symbol: str, text: str, signature: str
) -> None:
    entity = read(write(tmp_path, {"store.rb": STORE})).entities[f"store.rb::{symbol}"]

    assert (entity.text, entity.attributes["signature"]) == (text, signature)
    assert entity.attributes["language"] == "ruby"


def test_a_class_of_ruby_shows_the_signatures_of_its_methods(tmp_path: Path) -> None:
    entity = read(write(tmp_path, {"store.rb": STORE})).entities["store.rb::Shop::Store"]

    assert entity.title == "class Shop::Store < Base"
    assert entity.text is not None
    assert entity.text.startswith("# Keeps users.\nclass Shop::Store < Base # of rows\n")
    assert "  def get_user( key, raw: false ) …\n" in entity.text
    assert "Not of the signature" not in entity.text
    assert "Not of the signature" in str(entity.attributes["code"])


@pytest.mark.parametrize("path", ["Gemfile", "Rakefile", "lib/tasks/a.rake", "a.gemspec"])
def test_a_file_of_ruby_may_have_a_name_of_its_own(tmp_path: Path, path: str) -> None:
    entities = read(write(tmp_path, {path: "def run; end\n"})).entities

    assert entities[path].attributes["language"] == "ruby"
    assert f"{path}::run" in entities


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("spec/a.rb", True), ("app/a_spec.rb", True), ("test/a.rb", True), ("a_test.rb", True),
        ("test_a.rb", True), ("latest.rb", False), ("inspect/a.rb", False), ("aspec.rb", False),
    ],
)  # fmt: skip
def test_tests_of_ruby_are_recognised_by_their_path(
    tmp_path: Path, path: str, *, test: bool
) -> None:
    assert read(write(tmp_path, {path: ""})).entities[path].attributes["test"] is test


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("", set()),
        ("class A\n  def b\n    x = = 3\n  end\nend\nclass B; end\n", {"A", "B"}),
        ("class A; def b; end; end\n)))\ndef c; end\n", {"A", "A::b", "c"}),
    ],
)
def test_of_a_broken_file_of_ruby_the_rest_is_read(
    tmp_path: Path, source: str, names: set[str]
) -> None:
    entities = read(write(tmp_path, {"a.rb": source})).entities
    assert set(entities) - {"a.rb"} >= {f"a.rb::{name}" for name in names}


@pytest.mark.parametrize(
    "source",
    ["module A\n" * 2_000 + "def f; end\n" + "end\n" * 2_000, "x = a\n" + "  .b\n" * 20_000,
     "class A\n" + "def f; end\n" * 5_000 + "end\n"],
)  # fmt: skip
def test_nothing_of_ruby_is_too_deep_to_be_read(tmp_path: Path, source: str) -> None:
    code = read(write(tmp_path, {"a.rb": source, "b.rb": ""}))
    assert "b.rb" in code.entities
    assert {"a.rb"} == code.refused.keys() | ({"a.rb"} & code.entities.keys())


# Links


def test_a_project_of_ruby(tmp_path: Path) -> None:
    files = {
        "lib/shop/store.rb": (
            "require 'json'\nrequire 'shop/base'\nrequire_relative \"row\"\n"
            "module Shop\n  class Store < Base\n    include Counts\n"
            "    def initialize\n      @row = Row.new(1)\n    end\n"
            "    def open(key)\n      @row&.read\n      log key\n      count\n      helper\n"
            "      JSON.parse(key)\n    end\n"
            "    def helper; end\n"
            "    def self.build = new.open(1)\n  end\nend\n"
        ),
        "lib/shop/row.rb": "class Shop::Row\n  def read; end\n  def count; end\nend\n",
        "lib/shop/base.rb": "module Shop\n  class Base\n    def log(key); end\n  end\nend\n",
        "lib/shop/counts.rb": "module Shop\n  module Counts\n    def count; end\n  end\nend\n",
        "spec/store_spec.rb": (
            'require "shop/store"\nRSpec.describe Shop::Store do\n'
            "  it { store = Shop::Store.new\n    store.open(1)\n    Shop::Store.build }\nend\n"
        ),
    }
    store, base = "lib/shop/store.rb", "lib/shop/base.rb"
    assert links(tmp_path, files) == {
        f"{store} IMPORTS {base}",
        f"{store} IMPORTS lib/shop/row.rb",
        f"spec/store_spec.rb IMPORTS {store}",
        f"{store}::Shop::Store INHERITS {base}::Shop::Base",
        f"{store}::Shop::Store INHERITS lib/shop/counts.rb::Shop::Counts",
        f"{store}::Shop::Store CALLS {store}::Shop::Store::initialize",
        f"{store}::Shop::Store::initialize CALLS lib/shop/row.rb::Shop::Row",
        f"{store}::Shop::Store::open CALLS lib/shop/row.rb::Shop::Row::read",
        f"{store}::Shop::Store::open CALLS {base}::Shop::Base::log",
        f"{store}::Shop::Store::open CALLS lib/shop/counts.rb::Shop::Counts::count",
        f"{store}::Shop::Store::open CALLS {store}::Shop::Store::helper",
        f"{store}::Shop::Store::build CALLS {store}::Shop::Store",
        f"{store}::Shop::Store::build CALLS {store}::Shop::Store::open",
        f"spec/store_spec.rb CALLS {store}::Shop::Store",
        f"spec/store_spec.rb CALLS {store}::Shop::Store::open",
        f"spec/store_spec.rb CALLS {store}::Shop::Store::build",
    }


CONSTANTS = {
    "store.rb": "class Store\n  def go; end\n  def self.at; end\nend\n",
    "admin.rb": "module Admin\n  class Store\n    def go; end\n    def self.at; end\n  end\nend\n",
}


@pytest.mark.parametrize(
    ("source", "end"),
    [
        ("Store.at", "store.rb::Store::at"),
        ("Admin::Store.at", "admin.rb::Admin::Store::at"),
        ("module Admin\n  class A\n    def b = Store.at\n  end\nend", "admin.rb::Admin::Store::at"),
        ("module Admin\n  class A\n    def b = ::Store.at\n  end\nend", "store.rb::Store::at"),
        ("class Admin::A\n  def b = Store.at\nend", "store.rb::Store::at"),
        ("class A < Admin::Store\n  def b = go\nend", "admin.rb::Admin::Store::go"),
        ("class A < Admin::Store\n  def b = self.class.at\nend", "admin.rb::Admin::Store::at"),
        ("class A < Admin::Store\n  def self.b = at\nend", "admin.rb::Admin::Store::at"),
        ("def b\n  s = Admin::Store.new\n  s.go\nend", "admin.rb::Admin::Store::go"),
        ("def b\n  s ||= ::Store.new\n  s.go\nend", "store.rb::Store::go"),
        ("Store.new(1).go", "store.rb::Store::go"),
        ("Admin::Unknown.at", None),
        ("Other::Store.at", None),
        ("Store.new.at", None),
        ("Store.go", None),
        ("store.go", None),
        ("def b(at)\n  at\n  go\nend", None),
    ],
)
def test_a_constant_of_ruby_is_found_from_where_it_stands(
    tmp_path: Path, source: str, end: str | None
) -> None:
    all_links = links(tmp_path, CONSTANTS | {"use.rb": f"{source}\n"})

    ends = {link.rpartition(" CALLS ")[2] for link in all_links if link.startswith("use.rb")}
    ends = {one for one in ends if " INHERITS " not in one and not one.endswith("Store")}
    assert ends == (set() if end is None else {end})


def test_a_variable_of_ruby_calls_no_method_of_its_name(tmp_path: Path) -> None:
    source = (
        "class A\n  def rows; end\n  def key; end\n  def count; end\n  def other; end\n"
        "  def a(key, count: 1)\n    rows = 1\n    rows\n    key\n    count\n    other\n  end\n"
        "  def b\n    each { |key| key }\n    x = rows\n    x\n  end\nend\n"
    )
    assert links(tmp_path, {"a.rb": source}) == {
        "a.rb::A::a CALLS a.rb::A::other", "a.rb::A::b CALLS a.rb::A::rows",
    }  # fmt: skip


def test_a_class_of_ruby_is_opened_again_elsewhere(tmp_path: Path) -> None:
    files = {
        "store.rb": "class Store < Base\n  def a = b\nend\nclass Base; def c; end; end\n",
        "store_more.rb": "class Store\n  def b = c\nend\n",
        "use.rb": "Store.new.b\n",
        "spec/store_spec.rb": "class Store\n  def a = 1\nend\n",
    }
    assert links(tmp_path, files) == {
        "store.rb::Store INHERITS store.rb::Base",
        "store.rb::Store::a CALLS store_more.rb::Store::b",
        "store_more.rb::Store::b CALLS store.rb::Base::c",
        "use.rb CALLS store_more.rb::Store::b",
        "use.rb CALLS store.rb::Store",
    }


def test_a_class_and_an_instance_of_ruby_have_methods_of_one_name(tmp_path: Path) -> None:
    source = (
        "class Job\n  def self.call(x) = new(x).call\n  def call = run\n"
        "  class << self\n    def run; end\n  end\nend\nJob.call(1)\nJob.run\n"
    )
    assert links(tmp_path, {"job.rb": source}) == {
        "job.rb CALLS job.rb::Job::call", "job.rb CALLS job.rb::Job::run",
        "job.rb::Job::call CALLS job.rb::Job", "job.rb::Job::call CALLS job.rb::Job::call~2",
    }  # fmt: skip


def test_what_two_files_of_ruby_say_leads_nowhere(tmp_path: Path) -> None:
    files = {
        "a.rb": "class Till; def go; end; end\ndef helper; end\n",
        "b.rb": "class Till; def go; end; end\ndef helper; end\n",
        "use.rb": "Till.new\nTill.new.go\nhelper\n",
    }
    assert links(tmp_path, files) == set()


def test_modules_of_ruby_are_mixed_in(tmp_path: Path) -> None:
    source = (
        "module Walks\n  def walk; end\nend\nmodule Runs\n  extend ActiveSupport::Concern\n"
        "  class_methods do\n    def run; end\n  end\nend\n"
        "class Dog\n  include Walks, Runs\n  extend Other\n  def go = walk\n  run\nend\n"
        "class A::Cat < Dog; end\nKitten = Class.new(A::Cat)\n"
    )
    assert links(tmp_path, {"a.rb": source}) == {
        "a.rb::Dog INHERITS a.rb::Walks", "a.rb::Dog INHERITS a.rb::Runs",
        "a.rb::Dog CALLS a.rb::Runs::run", "a.rb::Dog::go CALLS a.rb::Walks::walk",
        "a.rb::A::Cat INHERITS a.rb::Dog", "a.rb::Kitten INHERITS a.rb::A::Cat",
    }  # fmt: skip


def test_classes_of_ruby_in_a_circle_end(tmp_path: Path) -> None:
    source = "class A < B; def x = y; end\nclass B < A; end\nclass C < C; def z = q; end\n"
    assert links(tmp_path, {"a.rb": source}) == {
        "a.rb::A INHERITS a.rb::B", "a.rb::B INHERITS a.rb::A",
    }  # fmt: skip


def test_bases_of_ruby_that_others_are_looked_for_in_do_not_go_on_without_end(
    tmp_path: Path,
) -> None:
    chain = "".join(f"class A{n} < A{n + 1}::Base\n  class Own; end\nend\n" for n in range(1000))
    source = f"{chain}class Dog < Animal; end\nclass Animal; end\n"
    assert links(tmp_path, {"a.rb": source}) == {"a.rb::Dog INHERITS a.rb::Animal"}


@pytest.mark.parametrize(
    ("source", "file"),
    [
        ("require_relative '../lib/app/x'", "lib/app/x.rb"),
        ("require_relative('../lib/app/x.rb')", "lib/app/x.rb"),
        ("require 'app/x'", "lib/app/x.rb"),
        ("require 'app/y'", None),
        ("require 'json'", None),
        ('require "app/#{x}"', None),
        ("require_relative 'app/x'", None),
    ],
)
def test_a_file_of_ruby_is_required(tmp_path: Path, source: str, file: str | None) -> None:
    files = {"lib/app/x.rb": "", "json.rb": "", "a/lib/app/y.rb": "", "b/lib/app/y.rb": ""}
    all_links = links(tmp_path, files | {"bin/use.rb": f"{source}\n"})
    assert all_links == (set() if file is None else {f"bin/use.rb IMPORTS {file}"})
