"""What every importer yields."""

import re
from dataclasses import dataclass

from graphmem.model import Entity, Item, Relation
from graphmem.model.exported_history import ExportedChange, ExportedRevision, Redirect

_LINE = re.compile(r":\d+$")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file or folder that is not meant, so that nothing is wrong when it is not imported.

    Args:
        reason: What it is, as a part of a sentence: `minified`.
    """

    reason: str


Value = Entity | Relation | Redirect | ExportedChange | ExportedRevision | Item | LeftOut


@dataclass(frozen=True, slots=True)
class Row:
    """What was read and where, an Item that says why it was refused, or that a file was left out.

    Args:
        place: The file as seen from the folder that is imported, and the line: `notes/redis.md:12`;
            the line is left out where the whole file is meant.
        value: What was read. Redirects, changes and revisions are graphmem's own exports alone.
        project: The project or layer it belongs to where that is not the one imported into, such
            as `@user`.
        is_read: Of what was refused, whether all that its file holds is known nevertheless, so that
            what is missing in it is gone: another file has its name.
        is_alone: Of what was refused, whether it says nothing but of a relation, or of the entity
            that the item names. A relation's item names the entity where it starts, if that is
            known.
        is_elsewhere: Of what was refused, whether it is no file or folder of what is imported, such
            as a link that leads out of it: nothing that is gone is there under another name.
        may_lead_nowhere: Of a relation, whether it is normal that there is no entity at its end:
            the import counts such links instead of refusing them.
    """

    place: str
    value: Value
    project: str | None = None
    is_read: bool = False
    is_alone: bool = False
    is_elsewhere: bool = False
    may_lead_nowhere: bool = False

    @property
    def file(self) -> str:
        """The place without its line."""
        return _LINE.sub("", self.place)
