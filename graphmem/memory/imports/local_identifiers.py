"""Which keys and change ids the entities and changes of an export have in this store."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from graphmem import text
from graphmem.model.exported_history import ExportedRevision
from graphmem.model.identity import RelationIdentity
from graphmem.write.assertions.states import translated
from graphmem.write.history.importing import new_change_id


class LocalIdentifiers:
    """Translates keys, change ids and revisions of an export into those of this store.

    A key differs if the entity has another name here than the export's key was made of; an id, if
    another change of this store has it.

    Args:
        project: The project imported into.
        source: The import.
    """

    def __init__(self, project: str, source: str) -> None:
        self._project = project
        self._source = source
        # By key in the export, the keys that differ here.
        self._new_keys: dict[str, str] = {}
        # By id in the export, the ids that differ here.
        self.new_change_ids: Mapping[str, str] = {}
        # The ids in the export of the changes that it describes.
        self._described_changes: set[str] = set()

    def add_key(self, exported_key: str, key: str) -> None:
        """Note which key the entity of a key in the export has here."""
        if exported_key != key:
            self._new_keys[exported_key] = key

    def add_changes(self, change_ids: Iterable[str], new_ids: Mapping[str, str]) -> None:
        """Note changes that the export describes, now that they are stored.

        Args:
            change_ids: Their ids in the export.
            new_ids: The ids here of all changes so far whose ids differ.
        """
        self._described_changes.update(change_ids)
        self.new_change_ids = new_ids

    def key(self, exported_key: str) -> str:
        """The key here of the entity of a key in the export."""
        return self._new_keys.get(exported_key, exported_key)

    def change(self, exported_id: str) -> str:
        """The id here of a change; one that the export does not describe gets a new id."""
        if exported_id in self._described_changes:
            return self.new_change_ids.get(exported_id, exported_id)
        return new_change_id(exported_id, self._project, self._source)

    def revision(self, exported: ExportedRevision) -> ExportedRevision:
        """A revision of the export with the keys and ids here, also in its earlier state."""
        return replace(
            exported,
            key=self.key(exported.key),
            change=self.change(exported.change),
            before=translated(exported.before, self.key, self._token, self.change),
        )

    def _token(self, exported_token: str) -> str:
        """The token here of a relation; see `RelationIdentity.token`."""
        if not self._new_keys:
            return exported_token
        identity = RelationIdentity.of_token(text.key(self._project, ""), exported_token)
        return replace(identity, end=self.key(identity.end)).token
