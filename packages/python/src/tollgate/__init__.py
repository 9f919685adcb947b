"""The client of Tollgate gateways: one key, one balance and one API for agents."""
from .async_client import AsyncTollgate
from .client import Tollgate
from .errors import FieldProblem, TollgateError
from .results import Charge, Result, StartedJob

__all__ = ["AsyncTollgate", "Charge", "FieldProblem", "Result", "StartedJob", "Tollgate", "TollgateError"]
