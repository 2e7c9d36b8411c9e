"""What a question to a model costs, in US dollars for a million tokens."""

from dataclasses import dataclass

# The provider's price list as of October 2026; a model that is not in it has no known cost.
DIGITS_OF_A_DATE = 8


@dataclass(frozen=True, slots=True)
class Price:
    fresh: float  # input that no cache knows
    written: float  # input that a cache keeps for five minutes
    read: float  # input from a cache
    output: float
    longest_prompt: int = 1_000_000  # tokens; a longer prompt has another price


PRICES = {
    "claude-haiku-5-5": Price(0.10, 0.125, 0.01, 0.50, longest_prompt=100_000),
    "claude-haiku-4-5": Price(1.00, 1.25, 0.10, 5.00),
    "claude-sonnet-5-5": Price(2.00, 2.50, 0.10, 10.00),
    "claude-sonnet-5": Price(2.00, 2.50, 0.20, 10.00),
    "claude-opus-5-5": Price(4.00, 5.00, 0.20, 20.00),
    "claude-opus-5": Price(5.00, 6.25, 0.50, 25.00),
}


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one reply or, added up, of several."""

    fresh: int = 0
    written: int = 0
    read: int = 0
    output: int = 0

    @property
    def input(self) -> int:
        return self.fresh + self.written + self.read

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.fresh + other.fresh,
            self.written + other.written,
            self.read + other.read,
            self.output + other.output,
        )


def cost(model: str, usage: Usage) -> float | None:
    """What `usage` costs with `model`, or None where nobody told us."""
    price = PRICES.get(_family(model))
    if price is None or usage.input > price.longest_prompt:
        return None
    paid = (
        usage.fresh * price.fresh
        + usage.written * price.written
        + usage.read * price.read
        + usage.output * price.output
    )
    return paid / 1_000_000


def _family(model: str) -> str:
    """The model without the date of its release."""
    name, _, last = model.rpartition("-")
    return name if last.isdecimal() and len(last) == DIGITS_OF_A_DATE else model
