"""Prompts: what people have their client send to the model, such as `/recall why redis`."""

import inspect
import logging
from typing import TYPE_CHECKING, Any

from fastmcp.exceptions import PromptError
from fastmcp.prompts import FunctionPrompt, PromptResult
from mcp_types import Prompt

from graphmem.arguments import renaming_arguments
from graphmem.errors import shortened
from graphmem.server.agent_text import prose, shown
from graphmem.server.middleware import WRITING_PROMPTS, expose_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmem.memory import Memory

# Without a question, also where a client cannot pass one on: it shows what follows a command.
RECALL = """\
Look up in graphmem, with `context` or `search`, what is known about the words after this command
or, if there are none, about the subject of this conversation. Then go on with that."""
REMEMBER = """\
Write down in graphmem what this conversation has settled that will matter later{limit}.

- Take decisions with their reasons, incidents with their causes, and whom or what they concern.
  Leave out what the code or the documents say themselves.
- `search` first, and use the names that are there. Otherwise `remember` an entity with a short
  name, its kind, such as Decision, Incident, Service or Person, and one sentence an observation.
- `link` it to what it concerns, with a `note` that says why.
- End what no longer holds: `link` with `replaces`, `change` with `supersede`, or `valid_until`.

Then list what you wrote."""
ARGUMENTS = {
    "question": "Words or a question, as for a search",
    "project": "By default the one the server runs in",
    "what": "What of it, if not everything",
}


class Prompts:
    """The prompts of one server.

    Args:
        memory: Gives the open memory, waiting for it a while.
    """

    def __init__(self, memory: "Callable[[], Memory]") -> None:
        self._memory = memory

    def offers(self, *, read_only: bool) -> list[FunctionPrompt]:
        """The prompts as the server offers them; without those that write if it only reads."""
        prompts = [_prompt(self.recall), _prompt(self.remember)]
        return [prompt for prompt in prompts if not (read_only and prompt.name in WRITING_PROMPTS)]

    @renaming_arguments(query="question")
    def recall(self, question: str = "", project: str = "") -> str:
        """Ask a question, with what graphmem knows about it."""
        if not question.strip():
            return RECALL
        context = self._memory().context(question, project=project or None)
        return f"{shown(question)}\n\n{shown(prose(context))}"

    @staticmethod
    def remember(what: str = "") -> str:
        """Write down what this conversation has settled."""
        return REMEMBER.format(limit=f": {shown(what)}" if what.strip() else "")


class _Prompt(FunctionPrompt):
    """A prompt that lists nothing but what people read, and knows all its arguments."""

    async def render(self, arguments: dict[str, Any] | None = None) -> PromptResult:
        """Make the prompt; FastMCP would drop a misspelt question and answer without one.

        Raises:
            PromptError: It has no such argument.
        """
        names = [argument.name for argument in self.arguments or ()]
        for name, value in (arguments or {}).items():
            if value and name not in names:
                sentence = f"{shortened(name)} is not an argument of {self.name}"
                arguments_there = f"its arguments are {', '.join(names)}"
                raise PromptError(f"{sentence}; {arguments_there}", log_level=logging.INFO)
        return await super().render(arguments)

    def to_mcp_prompt(self, **overrides: object) -> Prompt:
        """Describe the prompt without FastMCP's own notes."""
        return super().to_mcp_prompt(**{"_meta": self.meta, **overrides})


def _prompt(method: "Callable[..., str]") -> FunctionPrompt:
    call = expose_errors(method, PromptError)
    # A docstring would make FastMCP import its parser, a tenth of a second of every handshake.
    call.__doc__ = ""
    prompt = _Prompt.from_function(call, name=method.__name__, description=inspect.getdoc(method))
    for argument in prompt.arguments or ():
        argument.description = ARGUMENTS[argument.name]
    return prompt
