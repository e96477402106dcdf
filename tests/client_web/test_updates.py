"""A page is reloaded for a newer version without losing anything."""

from tests.client_web.modules import Modules


def test_nothing_that_was_chosen_or_filled_in_is_lost(modules: Modules) -> None:
    """While a move is half chosen, a form filled in or a command pending, the page stays."""
    calm, told = modules.evaluate(
        """async () => {
            const { Updates } = await import("/updates.js");
            const main = document.createElement("main");
            const box = Object.assign(document.createElement("input"), { type: "checkbox" });
            const line = document.createElement("input");
            const unchanged = document.createElement("input");
            unchanged.value = "as it came";
            main.append(box, line, unchanged);
            document.body.replaceChildren(main);
            const app = { screen: {}, connection: { state: "online", session: { waits: false } } };
            let loaded = 0;
            const updates = new Updates(app, main, () => { loaded += 1; });
            const soon = () => new Promise((resolve) => setTimeout(resolve));
            const renews = async () => {
                const before = loaded;
                updates.renew();
                await soon();
                return loaded > before;
            };
            const calm = await renews();
            sessionStorage.clear();
            app.connection.session.waits = true;
            updates.begin();
            await soon();
            const told = [loaded > 0];
            app.connection.session.waits = false; told.push(await renews());
            app.screen.isChoosing = true; told.push(await renews());
            app.screen.isChoosing = false; told.push(await renews());
            const input = (node) => node.dispatchEvent(new InputEvent("input", { bubbles: true }));
            line.value = "Hel"; input(line); told.push(await renews());
            line.value = ""; input(line); told.push(await renews());
            box.checked = true; input(box); told.push(await renews());
            box.remove(); told.push(await renews());
            return [calm, told];
        }"""
    )
    assert not calm
    assert told == [False, True, False, True, False, True, False, True]
