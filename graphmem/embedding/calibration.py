"""What the cosines of a model mean: two texts that have nothing in common are not at 0.

Each model spreads its cosines otherwise, so these constants belong to it. To use another model
well, measure them on texts and questions of your own and add a row to `CALIBRATIONS`, by the
model's name without an organisation; `benchmarks/tuning.md` says how those of the default model
were found.
"""

from dataclasses import dataclass

from graphmem.embedding.models import DEFAULT_MODEL


@dataclass(frozen=True, slots=True)
class Calibration:
    """The cosines of a model between which similarity becomes evidence, all in [-1, 1].

    Args:
        low: The cosine that is no evidence: an unrelated text has it as often as a related one.
        high: The cosine that is all the evidence there can be.
        keyword_floor: The lowest that counts where a single word is asked for in short texts.
        question_floor: The lowest that counts where several words are.
        foreign_floor: The lowest that counts where the question is in a script that the model has
            learnt little of.
    """

    low: float
    high: float
    keyword_floor: float
    question_floor: float
    foreign_floor: float


CALIBRATIONS = {
    # Floors, seen with short artifacts: a word that is in none has 0.15 at most, one of an
    # unrelated subject 0.30, one of a neighbouring subject 0.2 to 0.43 (`auth` and a design of
    # tokens, which a link shall lead to), the same thing in other words 0.39 to 0.54. Any two
    # Russian texts have 0.43 on average, 0.62 at most.
    DEFAULT_MODEL: Calibration(
        low=0.3, high=0.9, keyword_floor=0.45, question_floor=0.35, foreign_floor=0.65
    ),
}


def is_calibrated(model: str) -> bool:
    """Whether a model's own constants are known."""
    return model in CALIBRATIONS


def calibration_of(model: str) -> Calibration:
    """The constants of a model, by its name; the default model's where they are not known."""
    return CALIBRATIONS.get(model) or CALIBRATIONS[DEFAULT_MODEL]
