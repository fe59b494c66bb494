"""Sources of code that the tests of its import share."""

PYTHON = '''"""Tokens."""
import os

LIMIT = 3


# Asked by every request.
@cached
def validate_token(token: str) -> bool:
    """Whether it is good."""
    return len(token) > LIMIT


class Store(Base):
    """Keeps tokens."""

    path: str

    async def get(self, key: str) -> str:
        def inner() -> None: ...
        return key
'''
RUST = """//! Tills.

/// Counts.
#[derive(Debug)]
pub struct Till { count: u32 }

pub enum Coin { Penny }

pub trait Counts { fn count(&self) -> u32; }

impl Till {
    pub fn add(&mut self, coin: Coin) { self.count += 1; }
}

macro_rules! coin { () => {} }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {}
}
"""
