"""Accounts and what they owe."""
from __future__ import annotations
import os, sys as system
import xml.etree.ElementTree as ET
from typing import (
    TYPE_CHECKING,
    overload,
)
from . import rates
from ..core.money import Money as M, Currency
from .extra import *

if TYPE_CHECKING:
    from .models import User

LIMIT: int = 10
first, (second, *others) = 1, (2, 3)
_private = 3
logger = make()
a.b = 3
table["x"] = 1
type Ident = str | int

@overload
def parse(x: int) -> int: ...
@overload
def parse(x: str) -> str: ...
def parse(x):
    import json
    return x

async def fetch(url: str, *, retries: int = 3, **kw) -> bytes:
    def inner(): pass
    return b""

@dataclass(frozen=True)
class Account(Base, metaclass=Meta):
    """One account."""
    owner: str
    balance: Decimal = 0
    _hidden: int = 1
    KIND = "x"

    def __init__(self, owner): self.owner = owner
    @property
    def open(self) -> bool: return True
    @open.setter
    def open(self, v): pass
    @staticmethod
    def build(x, /, y): pass
    def _internal(self): pass
    async def sync(self): pass
    class Meta:
        def nested(self): pass

class _Hidden: 
    def shown(self): pass

try:
    import fast
    def speed(): pass
except ImportError:
    def speed(): pass

if sys.version_info > (3,):
    def modern(): pass
else:
    modern = None

for _i in range(3):
    loopvar = i

if __name__ == "__main__":
    result = parse("1")
