"""The state of an entity before a revision, from the state after it. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.model.paths import OBSERVATION, PLACE, of_today
from graphmem.write.assertions.states import State, is_own


def overlaid(state: Mapping[str, Any], before: Mapping[str, Any]) -> State:
    """A state with some paths as they were before; relations and redirects are no part of it.

    Observations are where they were, as far as that is noted.
    """
    earlier_values = {of_today(path): value for path, value in before.items() if is_own(path)}
    earlier = {
        path: value for path, value in {**state, **earlier_values}.items() if value is not None
    }
    places = sorted(
        (value[PLACE], path)
        for path, value in earlier_values.items()
        if path.startswith(OBSERVATION) and value is not None and PLACE in value
    )
    return _with_places(earlier, places) if places else earlier


def _with_places(state: State, places: Sequence[tuple[int, str]]) -> State:
    """The state with some observations at these places among all of them."""
    placed_paths = {path for _, path in places}
    paths = [path for path in state if path.startswith(OBSERVATION) and path not in placed_paths]
    for place, path in places:
        paths.insert(place, path)
    others = {path: value for path, value in state.items() if not path.startswith(OBSERVATION)}
    return others | {path: state[path] for path in paths}
