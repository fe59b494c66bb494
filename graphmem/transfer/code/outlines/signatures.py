"""The signature of a definition: what it says before its body, on one line."""

import re

SIGNATURE_CHARACTERS = 300
ELLIPSIS = " …"

# What ends a signature, looked for from its end: `=>`, `{`, `:` and `=`.
_TAIL_BACKWARDS = re.compile(r"\A(?:\s|>=|[{:=])+")
# An annotation's arguments may be annotations that have arguments.
_ARGUMENTS = r"\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)"
_ANNOTATIONS = re.compile(rf"^(?:@[\w.]+(?:{_ARGUMENTS})? |\[[^\[\]]*\] )+")

# Lines for the preprocessor of C, C++, C# and Swift, with what stands in another branch.
_OTHER_BRANCH = re.compile(
    r"^[ \t]*#[ \t]*el(?:se|if)\w*\b(?:(?!^[ \t]*#[ \t]*endif\b).)*", re.DOTALL | re.MULTILINE
)
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|endif|pragma|region|endregion|nullable)\b[^\n]*",
    re.MULTILINE,
)


def signature_of(declaration: str, name: str) -> str:
    """A signature, without annotations and what ends it, of at most 300 characters.

    Args:
        declaration: What stands before the body.
        name: Of what is defined.
    """
    if "#" in declaration:
        declaration = _DIRECTIVE.sub("", _OTHER_BRANCH.sub("", declaration))
    backwards = _TAIL_BACKWARDS.sub("", " ".join(declaration.split())[::-1], count=1)
    signature = _ANNOTATIONS.sub("", backwards[::-1])
    if name.rpartition(".")[2] not in signature:  # a typedef says its name at its end
        signature = f"{signature}{ELLIPSIS} {name}"
    return signature[:SIGNATURE_CHARACTERS]
