"""A group of commands that lists where no verb is given."""

from __future__ import annotations

import typer
from typer.core import TyperGroup


class ListByDefault(TyperGroup):
    """`omoide outbox NAME` is `omoide outbox list NAME`: what follows is no verb, so it is a name."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Parse what follows the group's name, with `list` before it where it begins with no verb."""
        asks_for_help = any(arg in ctx.help_option_names for arg in args)
        if args and not asks_for_help and not any(arg in self.commands for arg in args):
            args = ["list", *args]
        return super().parse_args(ctx, args)
