"""The client of Tollgate gateways: one key, one balance and one API for agents."""
from .async_client import AsyncTollgate
from .budget import AsyncBudget, Budget
from .client import Tollgate
from .errors import FieldProblem, TollgateError
from .results import Charge, Result, StartedJob
from .streams import AsyncChatStream, ChatStream
from .webhooks import verify_webhook

__all__ = [
    "AsyncBudget",
    "AsyncChatStream",
    "AsyncTollgate",
    "Budget",
    "Charge",
    "ChatStream",
    "FieldProblem",
    "Result",
    "StartedJob",
    "Tollgate",
    "TollgateError",
    "verify_webhook",
]
