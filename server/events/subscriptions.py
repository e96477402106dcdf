"""Topics and filters as MQTT 5 defines them (sections 4.7 and 4.8), and handlers by filter."""

from server.events.courier import Handler


def matches(topic_filter: str, topic: str) -> bool:
    """Whether a message to `topic` is for the subscribers of `topic_filter`."""
    wanted = topic_filter.split("/")
    levels = topic.split("/")
    if topic.startswith("$") and wanted[0] in ("+", "#"):
        return False
    if wanted[-1] == "#":
        del wanted[-1]
        del levels[len(wanted) :]
    if len(wanted) != len(levels):
        return False
    return all(want in ("+", level) for want, level in zip(wanted, levels, strict=True))


class Handlers:
    """The handlers of subscriptions. A topic that is itself a filter finds its handler at once."""

    def __init__(self) -> None:
        self._exact: dict[str, Handler] = {}
        self._patterns: dict[str, Handler] = {}

    @property
    def filters(self) -> list[str]:
        """Every filter that has a handler, as it was subscribed to."""
        return [*self._exact, *self._patterns]

    def add(self, topic_filter: str, handler: Handler) -> None:
        """Let `handler` have what is for `topic_filter`."""
        plain = not {"+", "#"} & set(topic_filter)
        (self._exact if plain else self._patterns)[topic_filter] = handler

    def remove(self, topic_filter: str) -> None:
        """Let nobody have what is for `topic_filter`."""
        self._exact.pop(topic_filter, None)
        self._patterns.pop(topic_filter, None)

    def at(self, topic_filter: str) -> Handler | None:
        """Who has what is for exactly this filter."""
        return self._exact.get(topic_filter) or self._patterns.get(topic_filter)

    def of(self, topic: str) -> list[Handler]:
        """Everybody who is to have a message to `topic`."""
        found = [handler for want, handler in self._patterns.items() if matches(want, topic)]
        exact = self._exact.get(topic)
        return found if exact is None else [exact, *found]
