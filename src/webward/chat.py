"""The tools ``fetch_url`` and ``web_search`` for chat bots in Python; docs/chat.md has an example."""

from webward.config import ChatSettings, ModelSettings
from webward.contracts.chat.progress import told_call, told_reply
from webward.contracts.chat.replies import ReplyImage, ToolReply
from webward.contracts.chat.splitting import split_reply
from webward.surfaces.chat.loop import ChatAnswer, ChatLoop, Progress
from webward.surfaces.chat.model import ChatModel
from webward.surfaces.chat.tools import ChatTools

__all__ = [
    "ChatAnswer",
    "ChatLoop",
    "ChatModel",
    "ChatSettings",
    "ChatTools",
    "ModelSettings",
    "Progress",
    "ReplyImage",
    "ToolReply",
    "split_reply",
    "told_call",
    "told_reply",
]
