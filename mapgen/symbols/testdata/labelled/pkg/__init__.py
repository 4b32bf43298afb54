from .engine import Engine, _tune
from .tools import hammer as tool
from . import parts
import os
VERSION = "1"
