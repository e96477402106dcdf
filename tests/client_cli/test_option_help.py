"""`? options` lists the options and settings of a table with their meaning."""

from client_cli.effects import SendCommand, Show
from client_cli.option_help import option_help
from client_cli.output import LineOutput
from client_cli.speak_output import SpeakOutput
from client_cli.table_commands import TYPED_COMMANDS
from client_cli.text import Look
from engine.phrases import Phrase
from protocol.to_client import GameCard, GameList, OptionBounds, OptionInfo, SettingText
from protocol.to_server import Games
from tests.client_cli.tables import table

MOON = OptionInfo(
    name="moon",
    title="who scores",
    default="others",
    words=("others", "shooter"),
    help="All points.",
    titles={"others": "the others", "shooter": "the shooter"},
    depends={"rules": ("standard",)},
)
DEALS = OptionInfo(
    name="deals",
    title="deals",
    default=4,
    low=1,
    high=9,
    phrase=Phrase("black_queen_deals"),
    by_seats=(OptionBounds(seats=3, default=2, low=1, high=6),),
)
HOOK = OptionInfo(
    name="hook",
    title="the hook",
    default=True,
    depends={"deals": (1, 2)},
    by_seats=(OptionBounds(seats=3, default=False),),
)
PRIVATE = SettingText(name="private", title="Private.", help="By code.", titles={"default": "no"})
ANSWER = GameList(
    id=1,
    games=(
        GameCard(
            id="x",
            version=1,
            title="X",
            seats=(2,),
            usual_seats=2,
            options=(MOON, DEALS, HOOK),
            strengths=(),
        ),
    ),
    settings=(PRIVATE,),
)
ASKED = SendCommand(Games, full=True)


def test_each_option_says_what_it_means() -> None:
    """Each option is shown with its value or default, its words or bounds, and dependencies."""
    told = dict(option_help(ANSWER, table().info.options, Look(), seats=2))
    assert told == {
        "moon=others": "Who scores. All points. others: the others; shooter: the shooter. "
        "Only with rules=standard.",
        "deals=4": "Deals in a match. From 1 to 9.",
        "hook=yes": "The hook. Only with deals=1 or deals=2.",
        "private": "Private. By code. default: no.",
    }


def test_each_number_of_players_has_its_own_bounds() -> None:
    """Bounds are those for the table's seats, or all that differ without a table."""
    at_table = dict(option_help(ANSWER, {}, Look(), seats=3))
    assert at_table["deals=2"] == "Deals in a match. From 1 to 6."
    assert at_table["hook=no"] == "The hook. Only with deals=1 or deals=2."
    anywhere = dict(option_help(ANSWER, {}, Look()))
    deals = "Deals in a match. From 1 to 9. With 3 players: 2. From 1 to 6."
    assert anywhere["deals=4"] == deals
    hook = "The hook. With 3 players: no. Only with deals=1 or deals=2."
    assert anywhere["hook=yes"] == hook


def test_it_is_shown_and_spoken() -> None:
    """The options are shown in columns, or as sentences when spoken."""
    shown: list[str] = []
    LineOutput(Look, shown.append).answered(ASKED, ANSWER, table())
    assert "moon=others" in "".join(shown)
    said: list[str] = []
    SpeakOutput(Look, said.append).answered(ASKED, ANSWER, table())
    assert "private: Private. By code. default: no.\n" in said


def test_help_takes_a_word() -> None:
    """`? options` asks the server, and `?` alone lists the commands."""
    here = table()
    assert TYPED_COMMANDS["help"].make(here, "options") == SendCommand(
        Games, {"game": here.info.game}
    )
    assert TYPED_COMMANDS["help"].make(here, "") == Show("help")
