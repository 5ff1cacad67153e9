"""What can go wrong, by name."""


class AssayError(Exception):
    """Something a person can act on. The message says what is wrong and what to do."""


class InvalidEpisode(AssayError):
    """An episode breaks a rule of the door."""


class EpisodeConflict(AssayError):
    """Other content came under an external id that is taken."""


class TooLarge(AssayError):
    """An episode or a call is over a limit."""


class Busy(AssayError):
    """Someone else is at it; it will be done, and may be asked for again."""


class InvalidQuestion(AssayError):
    """A question asks for something that there cannot be, such as minus one fact."""


class Unreadable(AssayError):
    """A file or record is not in the format it should be in."""


class ModelError(AssayError):
    """The model's endpoint did not give a usable answer.

    `retry_after` is in seconds, if it asked for a wait. `is_about_reply`: the endpoint works, but what it
    said to this very call makes no sense; other calls may fare better.
    """

    def __init__(
        self,
        message: str,
        *,
        is_final: bool = False,
        retry_after: float | None = None,
        is_about_reply: bool = False,
    ) -> None:
        super().__init__(message)
        self.is_about_reply = is_about_reply
        self.is_final = is_final
        self.retry_after = retry_after


class Unconfigured(AssayError):
    """A setting is missing, unsafe or unusable."""


class LeaseLost(AssayError):
    """Another worker holds the job, or its user was forgotten meanwhile: nothing may be written."""


class InvalidPolicy(AssayError):
    """A threshold or vocabulary that does not exist, or a value it cannot have."""


class Departed(AssayError):
    """The person was forgotten at their wish."""


class MemoryPaused(AssayError):
    """The person has paused their memory: nothing is taken in."""


class NotFound(AssayError):
    """What was asked for does not exist, or is not for whoever asks: nobody learns which."""


class NotAMember(AssayError):
    """An act meant for members' logins was asked for a login of staff."""


class Refused(AssayError):
    """The gate refused what a person wanted to have believed. `reason` is its code, or what else stood against it."""

    def __init__(self, message: str, *, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class Unanswerable(AssayError):
    """An answer that its question does not allow. The message says what would do."""


class NotLive(AssayError):
    """A fact that is not believed any more was to be corrected or closed."""


class InvalidSample(AssayError):
    """A sample that cannot be drawn as it was asked for."""


class InvalidLabel(AssayError):
    """A label that makes no sense where it was given."""
