"""What the comments at the top of files of code say of licences, and what stays of them."""

from pathlib import Path

import pytest

from graphmem.model import Entity
from graphmem.transfer import FORMATS
from graphmem.transfer.code.files.licence_headers import without_licence_header

APACHE = """\
 * Copyright (C) 2008 Example Inc.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS.
"""
WHOLE = {
    "a block": f"/*\n{APACHE} */\n",
    "a block with rules": f"/{'*' * 75}\n{APACHE} {'*' * 74}/\n",
    "lines of slashes": APACHE.replace(" *", "//"),
    "lines of hashes": f"{'#' * 70}\n" + APACHE.replace(" *", "#"),
    "lines of dashes": APACHE.replace(" *", "--"),
    "a page": f"<!--\n{APACHE.replace(' *', '')}-->\n",
    "a line for programs": "// SPDX-License-Identifier: MIT\n",
    "a tag": "/**\n * @license\n * Copyright Example. All Rights Reserved.\n */\n",
    "a block on one line": "/* Copyright 2020 Example. */\n",
    "two blocks": "/* SPDX-License-Identifier: MIT */\n/*\n * (c) Example, 2001\n */\n",
    "a file that holds it": "// Use of this source code is governed by a BSD-style\n// license.\n",
    "the GPL": "# This program is free software; you can redistribute it and/or modify\n# it.\n",
}
UNTOUCHED = {
    "nothing": "",
    "a blank line": "\n",
    "code": "import copyright\n",
    "what a file is for": "/* Reads the licences of packages: MIT, BSD and Apache. */\nint a;\n",
    "what is said of files": "// This file is provided by the caller, and is free of cycles.\n",
    "what is said of copies": "# Keeps a copy of each licensed page.\nimport a\n",
    "a directive": "#define COPYRIGHT 1\n#include <licence.h>\n",
    "a text in code": 'LICENCE = """\nCopyright 2020 Example.\n"""\n',
    "a comment below code": "import a\n# Copyright 2020 Example.\n",
    "a block that goes on in its line": "/* Copyright 2020 Example. */ int a;\n",
    "a block without an end": "/* Copyright 2020 Example.\nint a;\n",
}


@pytest.mark.parametrize("header", WHOLE.values(), ids=WHOLE)
def test_a_header_of_nothing_but_its_licence_is_left_out(header: str) -> None:
    assert without_licence_header(f"{header}\nbegin;\n\nend;\n") == "begin;\n\nend;\n"


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=UNTOUCHED)
def test_what_is_no_licence_header_stays_to_the_letter(text: str) -> None:
    assert without_licence_header(text) == text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (
            f"/* dict.c - a hash table.\n *\n{APACHE} */\n#include <a.h>\n",
            "/* dict.c - a hash table.\n *\n */\n#include <a.h>\n",
        ),
        (
            f"/*\n{APACHE} *\n * It counts what is read.\n */\n",
            "/*\n * It counts what is read.\n */\n",
        ),
        ("/* Copyright 2020 Example\n *\n * Sparklines. */\n", "/*\n * Sparklines. */\n"),
        ("/* Sparklines.\n * Copyright 2020 Example */\nint a;\n", "/* Sparklines.\n */\nint a;\n"),
        ("// Copyright 2020 Example.\n//\n// Sparklines.\n", "// Sparklines.\n"),
        ("#!/bin/sh\n# Copyright 2020 Example.\n\necho a\n", "#!/bin/sh\n\necho a\n"),
        ("<?php\n// Copyright 2020 Example.\necho 1;\n", "<?php\necho 1;\n"),
        ("// Copyright 2020 Example.\n\n\n", ""),
    ],
)
def test_what_else_a_header_says_stays(text: str, rest: str) -> None:
    assert without_licence_header(text).rstrip("\n") == rest.rstrip("\n")


def test_files_and_their_first_symbols_are_read_without_licence(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("# Copyright 2020 Example.\nimport os\n")
    (tmp_path / "b.js").write_text("/* Copyright 2020 Example. */\nfunction begin() {}\n")
    (tmp_path / "c.sh").write_text("#!/bin/sh\n# Copyright 2020 Example.\necho begin\n")
    (tmp_path / "d.py").write_text("def begin():\n    pass\n\n\n# Copyright of a text.\nKEPT = 1\n")
    values = [row.value for row in FORMATS["code"].read(tmp_path)]
    assert {value.name: value.text for value in values if isinstance(value, Entity)} == {
        "a.py": "import os",
        "b.js": "",
        "b.js::begin": "function begin() {}",
        "c.sh": "#!/bin/sh\necho begin",
        "d.py": "",
        "d.py::begin": "def begin():\n    pass",
        "d.py::KEPT": "# Copyright of a text.\nKEPT = 1",
    }
