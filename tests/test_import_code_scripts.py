"""Importing JavaScript and TypeScript: what imports, calls and inherits what."""

from pathlib import Path

import pytest

from code_folders import links, read, write

SCRIPTS = {
    "lib/index.ts": "export { Repo } from './repo';\nexport * from './make';\n",
    "lib/repo.ts": "export class Repo { get(id: string) { return this.load(id); } load(id) {} }",
    "lib/make.ts": (
        "import { Repo } from './repo.js';\n"
        "export async function makeRepo(): Promise<Repo> { return new Repo(); }\n"
        "export default function main() {}\n"
    ),
    "lib/old.js": "function three() {}\nexports.four = function () { three(); };\n",
}


@pytest.mark.parametrize(
    ("source", "link"),
    [
        ("import { Repo } from './lib';\nnew Repo();", "a.ts CALLS lib/repo.ts::Repo"),
        ("import { makeRepo as m } from './lib/index';\nm();", "a.ts CALLS lib/make.ts::makeRepo"),
        ("import * as l from './lib';\nl.makeRepo();", "a.ts CALLS lib/make.ts::makeRepo"),
        ("import run from './lib/make';\nrun();", "a.ts CALLS lib/make.ts::main"),
        ("const { four } = require('./lib/old');\nfour();", "a.ts CALLS lib/old.js::four"),
        ("const old = require('./lib/old');\nold.four();", "a.ts CALLS lib/old.js::four"),
        ("import './lib/old';", "a.ts IMPORTS lib/old.js"),
        ("const later = import('./lib/old');", "a.ts IMPORTS lib/old.js"),
        (
            "import { Repo } from './lib';\nclass A extends Repo { a() { this.get('1'); } }",
            "a.ts::A.a CALLS lib/repo.ts::Repo.get",
        ),
        (
            "import type { Repo } from './lib';\ninterface A extends Repo {}",
            "a.ts::A INHERITS lib/repo.ts::Repo",
        ),
        (
            (
                "import { Repo } from './lib';\nclass A { constructor(private r: Repo) {}\n"
                "a() { this.r.get('1'); } }"
            ),
            "a.ts::A.a CALLS lib/repo.ts::Repo.get",
        ),
        (
            (
                "import { makeRepo } from './lib';\n"
                "async function a() { const r = await makeRepo(); r.get('1'); }"
            ),
            "a.ts::a CALLS lib/repo.ts::Repo.get",
        ),
    ],
)
def test_links_of_scripts(tmp_path: Path, source: str, link: str) -> None:
    assert link in links(tmp_path, SCRIPTS | {"a.ts": source})


@pytest.mark.parametrize(
    ("source", "link"),
    [
        ("import run from './lib/make';\nstart(run);", "a.tsx CALLS lib/make.ts::main"),
        ("import * as l from './lib';\nstart(l.makeRepo);", "a.tsx CALLS lib/make.ts::makeRepo"),
        ("class A { a() { on('x', this.b); } b() {} }", "a.tsx::A.a CALLS a.tsx::A.b"),
        ("class A { a() { on('x', this.b.bind(this)); } b() {} }", "a.tsx::A.a CALLS a.tsx::A.b"),
        (
            "class A { a() { return <button onClick={this.b}/>; } b() {} }",
            "a.tsx::A.a CALLS a.tsx::A.b",
        ),
        (
            "function a() { return <button onClick={save}/>; }\nfunction save() {}",
            "a.tsx::a CALLS a.tsx::save",
        ),
    ],
)
def test_scripts_pass_functions_on(tmp_path: Path, source: str, link: str) -> None:
    assert link in links(tmp_path, SCRIPTS | {"a.tsx": source})


@pytest.mark.parametrize(
    "source",
    [
        "function a(main) { start(main); }",
        "const a = main => start(main);",
        "function a() { const main = other(); start(main); }",
        "function a() { const { main } = other(); start(main); }",
        "function a() { for (const main of other()) { start(main); } }",
    ],
)
def test_a_variable_of_a_script_that_is_passed_on_is_no_function(
    tmp_path: Path, source: str
) -> None:
    all_links = links(tmp_path, SCRIPTS | {"a.ts": f"import main from './lib/make';\n{source}"})
    assert "a.ts::a CALLS lib/make.ts::main" not in all_links


def test_a_component_is_called_where_it_is_shown(tmp_path: Path) -> None:
    files = {
        "button.tsx": "export const SaveButton = () => <button/>;",
        "page.jsx": "import { SaveButton } from './button';\n"
        "export function Page() { return <div><SaveButton/></div>; }",
    }

    assert "page.jsx::Page CALLS button.tsx::SaveButton" in links(tmp_path, files)


@pytest.mark.parametrize(
    "source",
    [
        "import {{ {} }} from './icons';\n{}",
        "const {{ {} }} = require('./icons');\n{}",
    ],
)
def test_thousands_of_names_are_imported_at_once(tmp_path: Path, source: str) -> None:
    names = [f"show{number}" for number in range(1_500)]
    files = {
        "icons.ts": "\n".join(f"export function {name}() {{}}" for name in names),
        "page.ts": source.format(",\n".join(names), "\n".join(f"{name}();" for name in names)),
        "index.ts": "export {\n" + ",\n".join(names) + "\n} from './icons';",
        "use.ts": f"import {{ {names[-1]} as last }} from '.';\nlast();",
    }

    calls = {f"page.ts CALLS icons.ts::{name}" for name in names}
    assert calls | {f"use.ts CALLS icons.ts::{names[-1]}"} <= links(tmp_path, files)


def test_a_component_that_a_call_makes_of_a_function_is_one(tmp_path: Path) -> None:
    files = {
        "button.tsx": (
            "// Saves.\nconst SaveButton = React.forwardRef<A, B>(({ name }, ref) => {\n"
            "  return useTide();\n});\n"
            "SaveButton.displayName = 'SaveButton';\nexport { SaveButton };\n"
            "export const Menu = memo(forwardRef(function Menu(props, ref) { return null; }));\n"
            "export const useTide = create((set) => ({ height: 3 }));\n"
            "const rows = items.map((item) => item.name);\n"
            "const ROWS = items.map((item) => item);\n"
            "const Table = pgTable('rows', () => 1);\n"
        ),
        "page.jsx": "import { Menu, SaveButton } from './button';\n"
        "export function Page() { return <div><SaveButton/><Menu/></div>; }",
        "store.ts": "export const useStore = create(() => ({}));\nconst Tree = lazy(() => Tree);",
    }

    assert {
        "page.jsx::Page CALLS button.tsx::SaveButton",
        "page.jsx::Page CALLS button.tsx::Menu",
        "button.tsx::SaveButton CALLS button.tsx::useTide",
    } <= links(tmp_path, files)
    component, *others = read(tmp_path).symbols("button.tsx")
    assert component == ("Function", "SaveButton", 2, 4)
    assert [name for _, name, _, _ in others] == ["Menu", "useTide", "ROWS"]
    assert [name for _, name, _, _ in read(tmp_path).symbols("store.ts")] == ["useStore"]
    entity = read(tmp_path).entities["button.tsx::SaveButton"]
    assert entity.title == "const SaveButton = React.forwardRef<A, B>(({ name }, ref)"
    assert entity.text is not None
    assert entity.text.startswith("// Saves.\nconst SaveButton")


@pytest.mark.parametrize(
    "passed_on", ["export { default } from './menu';", "export { Menu as default } from './menu';"]
)
def test_a_module_passes_on_the_default_of_another(tmp_path: Path, passed_on: str) -> None:
    files = {
        "menu/index.ts": passed_on,
        "menu/menu.ts": "export function Menu() {}\nexport default Menu;",
        "a.ts": "import show from './menu';\nshow();",
    }
    assert "a.ts CALLS menu/menu.ts::Menu" in links(tmp_path, files)


@pytest.mark.parametrize(
    "source",
    [
        "import { map } from 'lodash';\nmap();",
        "import x from './missing';\nx();",
        "fetch('x'); console.log(1);",
        "function a(repo) { repo.get(1); }",
    ],
)
def test_scripts_link_nothing_that_is_elsewhere(tmp_path: Path, source: str) -> None:
    before = links(tmp_path / "before", SCRIPTS)

    assert links(tmp_path / "after", SCRIPTS | {"a.ts": source}) == before


PACKAGES = {
    "package.json": '{"private": true, "workspaces": ["packages/*", "apps/*"]}',
    "packages/store/package.json": '{"name": "@shop/store", "main": "./dist/index.cjs"}',
    "packages/store/src/index.ts": "export * from './open.js';",
    "packages/store/src/open.ts": "export function openStore() {}",
    "packages/store/src/adapters/disk.ts": "export function openDisk() {}",
    "packages/till/package.json": '{"name": "till", "main": "lib/main.js"}',
    "packages/till/lib/main.ts": "export function openTill() {}",
    "packages/till/button.tsx": "export function PayButton() {}",
    "packages/odd/package.json": "{",
    "apps/web/package.json": '{"name": "web"}',
    "apps/web/src/lib/theme.ts": "export function useTheme() {}",
    "apps/web/components/menu.tsx": "export function showMenu() {}",
    "apps/one/package.json": '{"name": "twin"}',
    "apps/one/index.ts": "export function first() {}",
    "apps/two/package.json": '{"name": "twin"}',
    "apps/two/index.ts": "export function second() {}",
}


@pytest.mark.parametrize(
    ("source", "end"),
    [
        ("import { openStore } from '@shop/store';", "packages/store/src/open.ts::openStore"),
        (
            "import { openDisk } from '@shop/store/adapters/disk';",
            "packages/store/src/adapters/disk.ts::openDisk",
        ),
        ("import { openTill } from 'till';", "packages/till/lib/main.ts::openTill"),
        ("import { PayButton } from 'till/button';", "packages/till/button.tsx::PayButton"),
        ("import { useTheme } from '@/lib/theme';", "apps/web/src/lib/theme.ts::useTheme"),
        ("import { showMenu } from '~/components/menu';", "apps/web/components/menu.tsx::showMenu"),
    ],
)
def test_an_import_names_a_package_of_the_folder(tmp_path: Path, source: str, end: str) -> None:
    name = end.rpartition("::")[2]
    page = {"apps/web/src/pages/start.ts": f"{source}\n{name}();"}

    assert f"apps/web/src/pages/start.ts CALLS {end}" in links(tmp_path, PACKAGES | page)


@pytest.mark.parametrize(
    "source",
    [
        "import { first } from 'twin';\nfirst();",
        "import { openTill } from 'till/missing';\nopenTill();",
        "import { openStore } from '@shop';\nopenStore();",
        "import { openTill } from 'tills';\nopenTill();",
        "import { second } from '../../../../../apps/two';\nsecond();",
    ],
)
def test_an_import_of_no_package_of_the_folder_leads_nowhere(tmp_path: Path, source: str) -> None:
    page = {"apps/web/src/pages/start.ts": source}

    assert links(tmp_path, PACKAGES | page) == {
        "packages/store/src/index.ts IMPORTS packages/store/src/open.ts"
    }


def test_a_package_is_known_where_only_its_sources_are_imported(tmp_path: Path) -> None:
    files = {
        ".git/HEAD": "",
        "package.json": '{"name": "shop"}',
        "src/app/start.ts": "import { useTheme } from '@/theme';\nuseTheme();",
        "src/theme.ts": "export function useTheme() {}",
    }
    write(tmp_path, files)

    assert "app/start.ts CALLS theme.ts::useTheme" in read(tmp_path / "src").links


VALUES = """class Repo {
    get(id) {}
    static opened() { return new this(); }
    named(name) { return this; }
    again() { return this.named('a'); }
    more(id) { return id ? new Repo() : null; }
}
class Deep extends Repo { dive() {} }
class Other { get(id) {} }
const made = () => new Repo();
async function waited() { return await made(); }
function either(x) { if (x) { return undefined; } return (made()); }
function mixed(x) { if (x) { return new Other(); } return new Repo(); }
function around() { [1].map(() => { return new Other(); }); return new Repo(); }
interface Run { (id: string): void }
class Holder { run: Run; go() { this.run('a'); } }
export { Repo as Store, Deep, Other, made, waited, either, mixed, around };
"""
VALUES_IMPORT = "import { Store, Deep, made, waited, either, mixed, around } from './lib/values'\n"


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ("made().get(1)", "Repo.get"),
        ("const repo = await waited(); repo.get(1)", "Repo.get"),
        ("either(1).get(1)", "Repo.get"),
        ("around().get(1)", "Repo.get"),
        ("made().more(1).get(1)", "Repo.get"),
        ("made().again().get(1)", "Repo.get"),
        ("new Deep().named('a').dive()", "Deep.dive"),
        ("new Store().get(1)", "Repo.get"),
        ("if (x instanceof Store) { x.get(1) }", "Repo.get"),
    ],
)
def test_a_script_calls_a_method_of_what_a_value_is(tmp_path: Path, body: str, callee: str) -> None:
    code = f"{VALUES_IMPORT}async function run(x) {{ {body} }}"

    all_links = links(tmp_path, {"lib/values.ts": VALUES, "a.ts": code})

    assert f"a.ts::run CALLS lib/values.ts::{callee}" in all_links
    assert not any(link.startswith("a.ts::run") and "Other" in link for link in all_links)


def test_a_value_of_a_script_that_may_be_another_is_not_guessed(tmp_path: Path) -> None:
    code = f"{VALUES_IMPORT}function run(x) {{ mixed(x).get(1) }}"

    all_links = links(tmp_path, {"lib/values.ts": VALUES, "a.ts": code})

    assert "a.ts::run CALLS lib/values.ts::mixed" in all_links
    assert not any(link.startswith("a.ts::run") and link.endswith(".get") for link in all_links)


def test_a_field_that_is_called_is_not_its_type(tmp_path: Path) -> None:
    all_links = links(tmp_path, {"lib/values.ts": VALUES})

    assert not any(link.endswith("::Run") for link in all_links)


def test_a_module_exports_a_class_under_another_name(tmp_path: Path) -> None:
    files = {
        "lib/base.ts": "class A { go() {} }\nclass C { go() {} }\nexport { A as B, C as default }",
        "a.ts": "import C, { B } from './lib/base'\nnew B().go(); class D extends C {}",
    }

    all_links = links(tmp_path, files)

    assert {"a.ts CALLS lib/base.ts::A.go", "a.ts::D INHERITS lib/base.ts::C"} <= all_links


def test_a_value_may_stand_in_thousands_of_parentheses(tmp_path: Path) -> None:
    opening, closing = "(\n" * 3_000, ")\n" * 3_000
    value = f"({opening}x ? new Repo() : null{closing})"
    code = f"{VALUES}function many(x) {{ return {value} }}\nmany(1).get(2)"

    assert "a.ts CALLS a.ts::Repo.get" in links(tmp_path, {"a.ts": code})


FIELDS = """export class Repo { get(key) {} list() {} }
export interface Stores<K, V> {
    main: Repo<
        K,
        V
    >
    spare?: Repo
    all: Repo[]
    deep: { inner: Repo }
    count: number
}
export type Props = { repo: Repo, name: string }
export class Context { open(): Stores<string, number> {} repo: Repo; find() {} }
"""


@pytest.mark.parametrize(
    "function",
    [
        "function run(stores: Stores<string, number>) { stores.main.get(1) }",
        "function run(stores: Stores<string, number>) { stores.spare?.get(1) }",
        "function run(stores: Stores) { for (const each of stores.all) each.get(1) }",
        "function run(context: Context) { context.open().main.get(1) }",
        "function run(props: Props) { props.repo.get(1) }",
        "function run({ repo }: Props) { repo.get(1) }",
        "function run({ repo: held }: Props) { held.get(1) }",
        "function run({ repo = new Repo() }: Props) { repo.get(1) }",
        "function run({ repo }: Props = {}) { repo.get(1) }",
        "const run = ({ repo }: Props) => { repo.get(1) }",
        "function run(props: Props) { const { repo } = props; repo.get(1) }",
        "function run(props: Props) { const { repo: held } = props; held.get(1) }",
        "function run(context: Context) { const { main } = context.open(); main.get(1) }",
        "async function run(it: Context) { const { main } = await it.open(); main.get(1) }",
    ],
)
def test_a_field_of_an_interface_has_its_type(tmp_path: Path, function: str) -> None:
    code = f"import {{ Context, Props, Repo, Stores }} from './stores'\n{function}"

    assert "a.ts::run CALLS stores.ts::Repo.get" in links(
        tmp_path, {"stores.ts": FIELDS, "a.ts": code}
    )


@pytest.mark.parametrize(
    "function",
    [
        "function run(stores: Stores) { stores.inner.get(1); stores.count.get(1) }",
        "function run({ name }: Props) { name.get(1) }",
        "function run({ repo: { deep } }: Props) { deep.get(1) }",
        "function run({ other }: Props) { other.get(1) }",
    ],
)
def test_what_is_no_field_of_an_interface_has_no_type(tmp_path: Path, function: str) -> None:
    code = f"import {{ Props, Stores }} from './stores'\n{function}"

    all_links = links(tmp_path, {"stores.ts": FIELDS, "a.ts": code})

    assert not any(link.startswith("a.ts::run CALLS") for link in all_links)


def test_a_method_that_is_taken_out_of_a_parameter_is_called(tmp_path: Path) -> None:
    code = "import { Context } from './stores'\nfunction run({ find }: Context) { find() }"

    assert "a.ts::run CALLS stores.ts::Context.find" in links(
        tmp_path, {"stores.ts": FIELDS, "a.ts": code}
    )
