"""Measures whether a question in one language finds notes in another: Russian and English.

    python benchmarks/across_languages.py

The sample is imported into a project of its own. Each of 24 questions asks for one note that is
written in the other language, in words that the note does not share; beside it stands the same
question in the note's own language. R@5 is the share of questions whose note is among the first
five hits, by the default search, without links, and by meaning alone. The model is that of the
settings; set GRAPHMEM_MODEL to a folder of another one to measure that.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphmem.cli.progress import ProgressDisplay
from graphmem.memory import Memory
from graphmem.settings import Settings

SAMPLE = Path(__file__).parents[1] / "examples" / "sample"
PROJECT = "across-languages"
FIRST = 5
SEARCHES: dict[str, dict[str, Any]] = {
    "default": {},
    "without links": {"expand": False},
    "meaning alone": {"mode": "semantic"},
}

# The note, the question in Russian, the question in English. The first notes are in Russian.
RUSSIAN_NOTES = (
    ("Тихие часы", "когда нельзя будить людей сообщениями",
     "when must people not be woken up by messages"),
    ("Ночные СМС", "почему тысячи людей получили сообщения в три часа ночи",
     "why did thousands of people get text messages at three in the morning"),
    ("Затор 3 марта", "почему весной не доходили подтверждения броней",
     "why were booking confirmations stuck in spring"),
    ("Два провайдера СМС", "зачем нужен второй канал для коротких сообщений",
     "why do we need a second channel for text messages"),
    ("Таблица заданий", "где теперь хранятся отложенные сообщения",
     "where are delayed messages kept now"),
    ("Напоминания через RabbitMQ", "почему брокер держал напоминания в памяти",
     "why did the broker hold reminders in memory"),
    ("Пуш вместо СМС", "что показал опыт с бесплатными уведомлениями",
     "what did the trial with free notifications show"),
    ("Разбор очереди", "что делать, если сообщения не уходят",
     "what to do when messages do not go out"),
    ("Переключение СМС", "как увести сообщения к запасному провайдеру",
     "how to move text messages to the spare provider"),
    ("Сервис уведомлений", "что решает, кому и каким путём сообщить",
     "what decides whom to tell and by which channel"),
    ("Очередь напоминаний", "где ждут своего времени отложенные сообщения",
     "where do scheduled messages wait for their time"),
    ("Прилив на час раньше", "почему вода ушла раньше, чем показывал экран",
     "why was the water gone earlier than the screen said"),
)  # fmt: skip
ENGLISH_NOTES = (
    ("Good Friday double charges", "почему с карт списали деньги дважды",
     "why were cards charged two times"),
    ("Phantom berths", "почему лодки приплыли на занятые места",
     "why did boats come to places that were taken"),
    ("Expired relay certificate", "у какого узла закончился срок сертификата",
     "which part had a certificate that ran out"),
    ("Mass sign-out", "почему всех пользователей выбросило из системы",
     "why was everybody logged out"),
    ("Session table bloat", "почему вход на сайт стал медленным",
     "why did signing in become slow"),
    ("EU data only", "где можно хранить личные данные",
     "where may personal data be kept"),
    ("Reminder a day ahead", "когда гостю напоминают о приезде",
     "when is a guest reminded of the arrival"),
    ("Restore the primary", "что делать, когда основная база данных упала",
     "what to do when the main database is dead"),
    ("Acquirer failover", "как перевести платежи на другой банк",
     "how to move payments to another bank"),
    ("Hosted card fields", "почему мы не видим номера карт",
     "why do we never see card numbers"),
    ("Exclusion constraint", "как база не даёт забронировать место дважды",
     "how does the database refuse two bookings of one place"),
    ("Double-entry ledger", "как ведётся учёт денег",
     "how is money accounted for"),
)  # fmt: skip


def main() -> int:
    """Import the sample where it is not there, ask, and print a table."""
    with Memory.open(project=PROJECT, progress=ProgressDisplay()) as memory:
        if not memory.stats().entities:
            memory.import_("markdown", SAMPLE)
        memory.model.fill(ProgressDisplay())
        memory.search(ENGLISH_NOTES[0][1])  # the model is loaded from here on
        print(f"{Settings().model}, {len(RUSSIAN_NOTES)} and {len(ENGLISH_NOTES)} questions")
        print("| R@5 | " + " | ".join(SEARCHES) + " |")
        print("|---|" + "---|" * len(SEARCHES))
        for label, notes, place in (
            ("Russian questions, English notes", ENGLISH_NOTES, 1),
            ("English questions, Russian notes", RUSSIAN_NOTES, 2),
            ("English questions, English notes", ENGLISH_NOTES, 2),
            ("Russian questions, Russian notes", RUSSIAN_NOTES, 1),
        ):
            shares = [_share(memory, notes, place, options) for options in SEARCHES.values()]
            print(f"| {label} | " + " | ".join(f"{share:.0f}" for share in shares) + " |")
    return 0


def _share(
    memory: Memory, notes: Sequence[tuple[str, str, str]], place: int, options: dict[str, Any]
) -> float:
    """How many of the notes are among the first hits, in percent."""
    hit_count = 0
    for note in notes:
        answer = memory.search(note[place], limit=FIRST, scope="project", **options)
        hit_count += note[0] in [hit.name for hit in answer.hits]
    return 100 * hit_count / len(notes)


if __name__ == "__main__":
    sys.exit(main())
