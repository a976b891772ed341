"""From a request to the messages of a chat, and from what came back to a result. Pure but for the nonce."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from ....protocols.errors import ModelOutputError
from .fence import fenced
from .lenient import COMPLAINTS, Answer, read_answer
from .task import Company, ItemT, Reading, RequestT, ResultT_co, Task
from .templates import instruction, locale_of


@dataclass(frozen=True, slots=True)
class Question(Generic[RequestT, ItemT, ResultT_co]):
    """One request as it is put to a model.

    Attributes:
        task: what is asked.
        request: about what.
        locale: the language of the instruction.
        instruction: what the model is told; ours alone.
        data: what it is shown; what people said, in segments.
    """

    task: Task[RequestT, ItemT, ResultT_co]
    request: RequestT
    locale: str
    instruction: str
    data: str

    def read(self, text: str) -> Answer[ItemT]:
        """Return the elements of an answer.

        Raises:
            ModelOutputError: if it has another shape.
        """
        return read_answer(text, self.task.item, self.task.many)

    def settle(self, items: Sequence[ItemT], complaints: Sequence[str] = ()) -> Reading[ResultT_co]:
        """Return what stands of the elements.

        Raises:
            ModelOutputError: if there were some and none stands. That is no "nothing".
        """
        broken = list(complaints)
        if items or not broken:
            reading = self.task.check(self.request, items)
            broken += reading.dropped
            if reading.kept or not broken:
                return Reading(result=reading.result, kept=reading.kept, dropped=tuple(broken))
        raise ModelOutputError(f"nothing of the answer can be used: {'; '.join(broken[:COMPLAINTS])}")


def ask(
    task: Task[RequestT, ItemT, ResultT_co],
    request: RequestT,
    company: Company,
    random_bytes: Callable[[int], bytes],
) -> Question[RequestT, ItemT, ResultT_co]:
    """Return a request as a question.

    Args:
        task: the task.
        request: what it is about.
        company: who is talking.
        random_bytes: where the nonce comes from.
    """
    segments = task.show(request, company)
    locale = locale_of(
        "\n".join(line.text for segment in segments for line in segment.lines), company.profile.locale
    )
    return Question(
        task=task,
        request=request,
        locale=locale,
        instruction=instruction(task, locale, company.names),
        data=fenced(segments, random_bytes),
    )
