"""Keys of links and visits: each is valid for one purpose and for a limited time."""

from server.admin.browser_keys import LINK_SECONDS, MOST, VISIT_SECONDS, BrowserKeys


class Clock:
    """A clock in seconds that the test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_link_opens_one_visit() -> None:
    """A link opens one visit only, and neither a link nor a visit works as the other."""
    keys = BrowserKeys(Clock())
    link = keys.new_link()
    assert not keys.may_look(link)
    visit = keys.enter(link)
    assert visit is not None
    assert keys.may_look(visit)
    assert keys.enter(link) is None
    assert keys.enter(visit) is None
    assert not keys.may_look("")


def test_links_and_visits_end() -> None:
    """A link ends after ten minutes, a visit after some hours."""
    clock = Clock()
    keys = BrowserKeys(clock)
    late, early = keys.new_link(), keys.new_link()
    visit = keys.enter(early)
    assert visit is not None
    clock.now += LINK_SECONDS
    assert keys.enter(late) is None
    clock.now += VISIT_SECONDS - LINK_SECONDS - 1
    assert keys.may_look(visit)
    clock.now += 1
    assert not keys.may_look(visit)


def test_the_oldest_link_goes_first() -> None:
    """The number of links is limited: expired ones are dropped first, then the oldest."""
    clock = Clock()
    keys = BrowserKeys(clock)
    links = [keys.new_link() for _ in range(MOST + 1)]
    assert keys.enter(links[0]) is None
    assert all(keys.enter(link) for link in links[1:])
    old = [keys.new_link() for _ in range(MOST - 1)]
    clock.now += LINK_SECONDS / 2
    fresh = keys.new_link()
    clock.now += LINK_SECONDS / 2
    more = [keys.new_link() for _ in range(MOST - 1)]
    assert all(map(keys.enter, [fresh, *more]))
    assert keys.enter(old[-1]) is None


def test_no_key_is_kept() -> None:
    """Keys in memory are hashed."""
    keys = BrowserKeys(Clock())
    link, other = keys.new_link(), keys.new_link()
    visit = keys.enter(other)
    assert visit is not None
    kept = repr(vars(keys))
    assert link not in kept
    assert visit not in kept
