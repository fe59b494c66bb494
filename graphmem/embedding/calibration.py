"""What the cosines of a model mean: two texts that have nothing in common are not at 0.

Each model spreads its cosines otherwise. A search measures that on a sample of the passages it
searches; these constants stand for it where there are few. To use another model well, measure them
on texts and questions of your own and add a row to `CALIBRATIONS`, by the model's name without an
organisation; `benchmarks/tuning.md` says how those of the default model were found.
"""

from dataclasses import dataclass

from graphmem.settings import DEFAULT_MODEL


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is usual of the cosines of a model, all in [-1, 1].

    Args:
        mean: The mean cosine of a question with any passages.
        deviation: The standard deviation of those cosines.
        keyword_floor: The lowest that counts where a single word is asked for in short texts.
        question_floor: The lowest that counts where several words are.
        foreign_floor: The lowest that counts where the question is in a script that the model has
            learnt little of.
    """

    mean: float
    deviation: float
    keyword_floor: float
    question_floor: float
    foreign_floor: float


@dataclass(frozen=True, slots=True)
class CosineDistribution:
    """The cosines of a query with passages chosen as if by chance.

    Args:
        mean: Their mean, in [-1, 1].
        deviation: Their standard deviation, above 0.
    """

    mean: float
    deviation: float

    @classmethod
    def usual(cls, calibration: Calibration) -> "CosineDistribution":
        """The usual mean and deviation of a model's cosines."""
        return cls(calibration.mean, calibration.deviation)

    def cosine(self, deviations: float) -> float:
        """The cosine so many standard deviations above the mean."""
        return self.mean + deviations * self.deviation


CALIBRATIONS = {
    # Floors, seen with short artifacts: a word that is in none has 0.15 at most, one of an
    # unrelated subject 0.30, one of a neighbouring subject 0.2 to 0.43 (`auth` and a design of
    # tokens, which a link shall lead to), the same thing in other words 0.39 to 0.54. Any two
    # Russian texts have 0.43 on average, 0.62 at most.
    DEFAULT_MODEL: Calibration(
        mean=0.06, deviation=0.12, keyword_floor=0.45, question_floor=0.35, foreign_floor=0.65
    ),
}


def is_calibrated(model: str) -> bool:
    """Whether a model's own constants are known."""
    return model in CALIBRATIONS


def calibration_of(model: str) -> Calibration:
    """The constants of a model, by its name; the default model's where they are not known."""
    return CALIBRATIONS.get(model) or CALIBRATIONS[DEFAULT_MODEL]
