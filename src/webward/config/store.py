"""The store: where quotas and images are kept, under which secret, and how many images."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from webward.errors import InvalidConfiguration

if TYPE_CHECKING:
    from collections.abc import Mapping

MB = 1_000_000
DAY_SECONDS = 86_400

Secret = Annotated[
    str,
    Meta(pattern=r"^[\x21-\x7e]{32,4096}\Z", description="32 or more printable ASCII characters without spaces"),
]
ImageBytes = Annotated[int, Meta(ge=1, le=100 * MB)]
StoreBytes = Annotated[int, Meta(ge=1, le=1_000_000 * MB)]


class ImageCacheSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Bounds of the image cache; what is above them goes, the oldest first.

    Attributes:
        image_bytes: The most bytes of one image.
        image_pixels: The most pixels of one image, width times height.
        channel_images: Images kept for one channel.
        channel_bytes: Bytes kept for one channel.
        total_bytes: Bytes kept for all channels together.
        age_seconds: How long an image is kept.
    """

    image_bytes: ImageBytes = 5 * MB
    image_pixels: Annotated[int, Meta(ge=1, le=500_000_000)] = 25_000_000  # drawn, this is 100 MB of memory
    channel_images: Annotated[int, Meta(ge=1, le=1000)] = 20
    channel_bytes: StoreBytes = 25 * MB
    total_bytes: StoreBytes = 500 * MB
    age_seconds: Annotated[int, Meta(ge=1, le=366 * DAY_SECONDS)] = 7 * DAY_SECONDS

    def __post_init__(self) -> None:
        for smaller, larger in (("image", "channel"), ("channel", "total")):
            if getattr(self, f"{smaller}_bytes") > getattr(self, f"{larger}_bytes"):
                setting = f"store.images.{larger}-bytes"
                raise InvalidConfiguration(f"store.images.{smaller}-bytes is above {setting}", setting=setting)


class StoreSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Where quotas and images are kept.

    Attributes:
        folder: Of the store, on a local disk; it is made when first needed. By default the user's own for state, as
            ``$XDG_STATE_HOME/webward``.
        secret: Key of the hashes that stand for users and channels; by default one is made at first start, in the
            file ``secret`` of the folder. Processes that share a store share it.
        wait_seconds: The longest wait for another process that is writing.
    """

    folder: Annotated[str, Meta(min_length=1, max_length=4096)] | None = None
    secret: Secret | None = None
    wait_seconds: Annotated[float, Meta(gt=0, le=60)] = 2.0
    images: ImageCacheSettings = ImageCacheSettings()

    def __post_init__(self) -> None:
        if self.folder is not None and "\0" in self.folder:
            raise InvalidConfiguration("store.folder must not hold a NUL character", setting="store.folder")

    def __repr__(self) -> str:
        secret = "set" if self.secret else None  # nothing of it is ever printed
        return f"StoreSettings(folder={self.folder!r}, secret={secret}, wait_seconds={self.wait_seconds!r})"


def with_folder(store: StoreSettings, environ: Mapping[str, str]) -> StoreSettings:
    """The settings with a folder: the one that is set, else the user's own for state."""
    if store.folder is not None:
        return store
    if sys.platform == "win32":
        state = environ.get("LOCALAPPDATA") or "~"
    elif sys.platform == "darwin":
        state = "~/Library/Application Support"
    else:
        state = environ.get("XDG_STATE_HOME") or "~/.local/state"
    return replace(store, folder=os.path.join(os.path.expanduser(state), "webward"))  # noqa: PTH111, PTH118 - see load
