"""Where imports of scripts lead that a `tsconfig.json` or `package.json` explains."""

import json
from pathlib import Path

import pytest

from code_folders import read, write

CONFIGURED = {
    "tsconfig.base.json": """{
  // Everything below is shared: "paths": {}
  "compilerOptions": {
    "baseUrl": "./",
    "paths": {
      "@shared/*": ["missing/*", "libs/shared/*"], /* the second is there */
      "@shared/till": ["libs/till/main.ts"],
      "@shared/odd-*-end": ["libs/odd/*.ts",],
    },
  },
}
""",
    "libs/shared/tides.ts": "export function readTides() {}",
    "libs/till/main.ts": "export function openTill() {}",
    "libs/odd/one.ts": "export function findOdd() {}",
    "web/tsconfig.json": '\ufeff{"extends": "../tsconfig.base.json"}',
    "web/site/tsconfig.json": json.dumps({"references": [{"path": "./tsconfig.app.json"}]}),
    "web/site/tsconfig.app.json": json.dumps(
        {
            "extends": ["./tsconfig.loop.json", "../../tsconfig.folder"],
            "compilerOptions": {"paths": {"~/*": ["./app/*"], "~utils": ["./app/utils.ts"]}},
        }
    ),
    "web/site/tsconfig.loop.json": json.dumps({"extends": "./tsconfig.app.json"}),
    "web/site/app/menu.tsx": "export function showMenu() {}",
    "web/site/app/utils.ts": "export function waitFor() {}",
    "web/own/tsconfig.json": json.dumps({"extends": "../../tsconfig.folder.json"}),
    "web/own/sources/theme.ts": "export function useTheme() {}",
    "tsconfig.folder.json": json.dumps(
        {"compilerOptions": {"paths": {"own/*": ["${configDir}/sources/*"]}}}
    ),
    "plain/jsconfig.json": json.dumps({"compilerOptions": {"baseUrl": "lib"}}),
    "plain/lib/store/index.js": "export function openStore() {}",
}


@pytest.mark.parametrize(
    ("file", "module", "end"),
    [
        ("web/page.ts", "@shared/tides", "libs/shared/tides.ts::readTides"),
        ("web/page.ts", "@shared/till", "libs/till/main.ts::openTill"),
        ("web/page.ts", "@shared/odd-one-end", "libs/odd/one.ts::findOdd"),
        ("web/page.ts", "libs/till/main.js", "libs/till/main.ts::openTill"),
        ("web/site/page.ts", "~/menu", "web/site/app/menu.tsx::showMenu"),
        ("web/site/deep/page.ts", "~utils", "web/site/app/utils.ts::waitFor"),
        ("web/own/page.ts", "own/theme", "web/own/sources/theme.ts::useTheme"),
        ("plain/page.js", "store", "plain/lib/store/index.js::openStore"),
    ],
)
def test_an_import_is_looked_up_as_the_nearest_config_says(
    tmp_path: Path, file: str, module: str, end: str
) -> None:
    name = end.rpartition("::")[2]
    page = {file: f"import {{ {name} }} from '{module}';\n{name}();"}

    assert f"{file} CALLS {end}" in read(write(tmp_path, CONFIGURED | page)).links


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("page.ts", "@shared/tides"),  # no config is here or above
        ("web/site/page.ts", "@shared/tides"),  # the nearest config alone counts
        ("web/page.ts", "@shared/../../outside/tides"),
        ("plain/page.js", "/store"),
    ],
)
def test_an_import_that_no_config_explains_leads_nowhere(
    tmp_path: Path, file: str, module: str
) -> None:
    page = {file: f"import {{ readTides, openStore }} from '{module}';\nreadTides(); openStore();"}
    folder = tmp_path / "inside"
    write(tmp_path, {"outside/tides.ts": "export function readTides() {}"})

    assert read(write(folder, CONFIGURED | page)).links == set()


def test_a_config_above_the_imported_folder_counts(tmp_path: Path) -> None:
    files = {
        ".git/HEAD": "",
        "tsconfig.json": json.dumps({"extends": "./tsconfig.base.json"}),
        "tsconfig.base.json": json.dumps({"compilerOptions": {"paths": {"~/*": ["./web/src/*"]}}}),
        "web/src/pages/start.ts": "import { useTheme } from '~/theme';\nuseTheme();",
        "web/src/theme.ts": "export function useTheme() {}",
    }
    write(tmp_path, files)

    assert "pages/start.ts CALLS theme.ts::useTheme" in read(tmp_path / "web" / "src").links


@pytest.mark.parametrize(
    "config",
    [
        "{",
        "[]",
        '{"compilerOptions": []}',
        '{"compilerOptions": {"paths": {"~/*": null}, "baseUrl": 3}, "extends": 1}',
        '{"compilerOptions": {"paths": {"~/*": "./*"}, "baseUrl": "../.."}, "extends": [null]}',
        '{"compilerOptions": {"paths": {"~/*": [["' + "*" * 100_000 + '"]]}}}',
        "/*" * 100_000,
        '"\\' * 100_000,
        "[" * 100_000 + "," * 100_000,
    ],
)
def test_any_text_is_a_config(tmp_path: Path, config: str) -> None:
    files = {"tsconfig.json": config, "start.ts": "import { a } from '~/b';\na();"}

    folder = read(write(tmp_path, files))

    assert folder.links == set()
    assert folder.refused == {}


PACKAGES = {
    "packages/store/package.json": json.dumps(
        {
            "name": "@shop/store",
            "exports": {
                ".": {"types": "./dist/node/index.d.mts", "default": "./dist/node/index.mjs"},
                "./disk": {"source": ["./parts/disk/main.ts", "./dist/disk.js"]},
                "./adapters/*": {"import": "./parts/*/adapter.js"},
                "./adapters/tape": None,
            },
            "imports": {"#parts/*": "./parts/*.js", "#test": {"test": "./test/kit.ts"}},
        }
    ),
    "packages/store/src/node/index.mts": "export function openStore() {}",
    "packages/store/parts/disk/main.ts": "export function openDisk() {}",
    "packages/store/parts/redis/adapter.ts": "export function openRedis() {}",
    "packages/store/test/kit.ts": "export function fillStore() {}",
    "packages/till/package.json": '{"name": "till", "exports": {"import": "./main.mjs"}}',
    "packages/till/main.mjs": "export function openTill() {}",
    "docs/package.json": '{"name": "docs"}',
    "docs/src/theme.ts": "export function useTheme() {}",
}


@pytest.mark.parametrize(
    ("file", "module", "end"),
    [
        ("docs/a.ts", "@shop/store", "packages/store/src/node/index.mts::openStore"),
        ("docs/a.ts", "@shop/store/disk", "packages/store/parts/disk/main.ts::openDisk"),
        (
            "docs/a.ts",
            "@shop/store/adapters/redis",
            "packages/store/parts/redis/adapter.ts::openRedis",
        ),
        ("docs/a.ts", "till", "packages/till/main.mjs::openTill"),
        ("docs/a.ts", "@site/src/theme", "docs/src/theme.ts::useTheme"),
        (
            "packages/store/src/a.ts",
            "#parts/redis/adapter",
            "packages/store/parts/redis/adapter.ts::openRedis",
        ),
        ("packages/store/src/a.ts", "#test", "packages/store/test/kit.ts::fillStore"),
    ],
)
def test_an_import_names_what_a_package_exports_or_calls_its_own(
    tmp_path: Path, file: str, module: str, end: str
) -> None:
    name = end.rpartition("::")[2]
    page = {file: f"import {{ {name} }} from '{module}';\n{name}();"}

    assert f"{file} CALLS {end}" in read(write(tmp_path, PACKAGES | page)).links


def test_what_a_package_calls_its_own_is_not_seen_from_others(tmp_path: Path) -> None:
    page = {"docs/a.ts": "import { fillStore } from '#test';\nfillStore();"}

    assert read(write(tmp_path, PACKAGES | page)).links == set()
