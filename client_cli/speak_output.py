"""The output for people who listen: sentences only, nothing drawn, a card by its name."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from client_cli.deal_history import history_lines, last_trick_lines
from client_cli.effects import Remark, SendCommand, Show
from client_cli.markdown_view import rules_of
from client_cli.names import waiting_for
from client_cli.narrator import narrate
from client_cli.option_help import option_help
from client_cli.pages import command_help
from client_cli.speech import EVERYTHING, aloud, lines_aloud
from client_cli.spoken_lists import spoken_games, spoken_hint, spoken_lobby, spoken_tables
from client_cli.spoken_rules import spoken_rules
from client_cli.spoken_table import spoken_cards, spoken_scores, spoken_table, spoken_turn
from client_cli.tell import tell
from client_cli.text import Look, clean
from client_cli.warm_ups import StrongHints
from protocol.client_events import Answer, ClientEvent
from protocol.errors import ProtocolError
from protocol.mirror import TableMirror
from protocol.texts import game_aim
from protocol.to_client import GameCard, GameList, HintAnswer, TableInfo


class SpeakOutput:
    """One line for each sentence, without any escape code; a screen reader breaks and speaks it.

    `look` says whether the terminal can show more than ASCII, and `explains` whether the aim of a
    game is to be told now.
    """

    def __init__(
        self,
        look: Callable[[], Look],
        write: Callable[[str], None],
        explains: Callable[[str], bool] = lambda game: False,
    ) -> None:
        self._look = look
        self._write = write
        self._explains = explains
        self._strong = StrongHints()

    def happened(self, event: ClientEvent) -> None:
        self._strong.happened(event)
        self._say(lines_aloud(narrate(event, EVERYTHING)))

    def answered(
        self, command: SendCommand, answer: Answer | ProtocolError, table: TableMirror
    ) -> None:
        if isinstance(answer, HintAnswer):
            # A hint for a turn that is over would be taken for advice about this one.
            if answer.turn == table.question.turn:
                stronger = self._strong.untold(answer)
                self._say(spoken_hint(answer, table, full=command.full, stronger=stronger))
        elif isinstance(answer, GameList) and command.full:
            seats = len(table.info.seats)
            self._explain(option_help(answer, table.info.options, EVERYTHING, seats))
        elif isinstance(answer, GameList):
            self._say(spoken_rules(rules_of(answer.games[0])))

    def show(self, show: Show, table: TableMirror) -> None:
        drawn = show.what in ("table", "turn") and table.info.phase == "playing"
        if drawn and self._explains(table.info.game) and (aim := game_aim(table.info.game)):
            self._say([tell("help.aim", aim=aim)])
        match show.what:
            case "table":
                playing = table.info.phase != "lobby"
                self._say(spoken_table(table) if playing else spoken_lobby(table))
            case "turn":
                self._say(spoken_turn(table))
            case "hand":
                self._say(spoken_cards(table))
            case "score":
                self._say(spoken_scores(table))
            case "help":
                self._explain(command_help(table, EVERYTHING))
            case "last":
                self._say(lines_aloud(last_trick_lines(table, EVERYTHING)))
            case "history":
                self._say(lines_aloud(history_lines(table, EVERYTHING)))
            case "final":
                # The sentence about the end of the match has said it all.
                pass

    def tables(self, tables: Sequence[TableInfo], own: Collection[str] = ()) -> None:
        self._say(spoken_tables(tables, own))

    def games(self, games: Sequence[GameCard]) -> None:
        self._say(spoken_games(games))

    def explain(self, words: Mapping[str, str]) -> None:
        self._explain(words.items())

    def remark(self, remark: Remark) -> None:
        # A command is to be typed as it is.
        told = (aloud(clean(remark.text, EVERYTHING)), clean(remark.command, EVERYTHING))
        self._say([" ".join(filter(None, told))])

    def waiting(self, table: TableMirror) -> None:
        if told := waiting_for(table, EVERYTHING):
            self._say([f"{told}."])

    def interrupted(self) -> None:
        """Do nothing, since nothing is open."""

    def _explain(self, told: Iterable[tuple[str, str]]) -> None:
        self._say([f"{typed}: {meaning.rstrip('.')}." for typed, meaning in told])

    def _say(self, sentences: Sequence[str]) -> None:
        look = self._look()
        for each in sentences:
            self._write(f"{clean(each, look)}\n")
