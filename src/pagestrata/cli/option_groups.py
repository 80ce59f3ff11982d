"""Options that several commands share: a data class as a parameter of a command stands for an option a field."""

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, TypeVar

import typer

_Command = TypeVar("_Command", bound=Callable[..., Any])


class GroupedTyper(typer.Typer):
    """Takes commands with groups of options."""

    def command(self, *arguments: Any, **details: Any) -> Callable[[_Command], _Command]:
        """Register a command, which can still be called with its groups."""
        register = super().command(*arguments, **details)

        def decorate(command: _Command) -> _Command:
            register(with_groups(command))
            return command

        return decorate


def with_groups(command: Callable[..., Any]) -> Callable[..., None]:
    """Give a command the options that the fields of its data classes declare.

    Typer reads the options from the signature of a function, in which they cannot be grouped.
    """
    groups: dict[str, type[Any]] = {}
    options: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        if isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation):
            groups[parameter.name] = parameter.annotation
            options += [
                inspect.Parameter(field.name, parameter.kind, default=field.default, annotation=field.type)
                for field in fields(parameter.annotation)
            ]
        else:
            options.append(parameter)

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run
