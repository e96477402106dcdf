// What a player sets at a table, or in the lobby for all tables: heard and seen at once, and remembered.

import { tablePicture } from "../cards/table_picture.js";
import { button, el, field, stylesheet } from "../dom.js";
import { wear } from "../looks.js";

/** One of several, the first of which is what nobody has chosen: by the name that is remembered. */
const CHOICES = {
  pace: ["usual", "slow", "quick", "none"],
  order: ["suit", "rank", "trump"],
  size: ["usual", "small", "large"],
  light: ["system", "light", "dark"],
  felt: ["green", "blue", "wine", "grey"],
  back: ["blue", "red", "green", "black"],
};
const COLOURED = new Set(["felt", "back"]);
/** On or off: by the name that is remembered, what it is then, and the text. */
const SWITCHES = [
  ["indices", "large", "table.large_indices"],
  ["suits", "two", "table.two_colours"],
  ["hand", "left", "looks.left"],
  ["keys", "off", "table.no_keys"],
];
const SHOWN = { id: "hearts", usual_seats: 4 };

/** Show the settings over the screen. */
export function openSettings(app) {
  stylesheet(new URL("settings.css", import.meta.url));
  const dialog = el("dialog", { class: "looks", "aria-label": app.t("looks.title") }, [
    el("div", { class: "head" }, [
      el("h2", { text: app.t("looks.title") }),
      button(app.t("close"), () => dialog.close()),
    ]),
    ...settings(app),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** The settings as elements. */
export function settings(app) {
  stylesheet(new URL("settings.css", import.meta.url));
  const picture = el("div", { class: "shown" }, [tablePicture(SHOWN)]);
  const show = () => picture.classList.toggle("two-colours", app.memory.get("table.suits") === "two");
  const set = (name, value) => {
    app.memory.set(`table.${name}`, value);
    app.preferences.set();
    wear(app.memory);
    show();
    app.screen?.redraw?.();
  };
  show();
  const choices = Object.entries(CHOICES).map(([name, values]) => choice(app, name, values, set));
  const switches = SWITCHES.map(([name, value, text]) => {
    const box = el("input", { type: "checkbox", checked: app.memory.get(`table.${name}`) === value });
    box.addEventListener("change", () => set(name, box.checked ? value : null));
    return field(app.t(text), box);
  });
  return [picture, soundBox(app), ...choices, ...switches];
}

function choice(app, name, [usual, ...others], set) {
  const chosen = app.memory.get(`table.${name}`) ?? usual;
  const boxes = [usual, ...others].map((value) => {
    const input = el("input", { type: "radio", name, value, checked: value === chosen });
    input.addEventListener("change", () => set(name, value === usual ? null : value));
    const words = app.t(`looks.${COLOURED.has(name) ? "" : `${name}_`}${value}`);
    return el("label", { class: COLOURED.has(name) ? `swatch of-${name} is-${value}` : null }, [input, el("span", { text: words })]);
  });
  const more = name === "order" ? el("p", { class: "quiet", text: app.t("looks.by_hand") }) : null;
  return el("fieldset", {}, [el("legend", { text: app.t(`looks.${name}`) }), el("div", {}, boxes), more]);
}

function soundBox(app) {
  const box = el("input", { type: "checkbox", checked: app.memory.get("sounds") === true });
  // Loaded before the click: what waits for something is no part of it to a browser.
  let sounds = null;
  app.sounds(true).then((made) => (sounds = made));
  box.addEventListener("change", () => {
    app.memory.set("sounds", box.checked || null);
    app.preferences.set();
    sounds?.play("turn");
  });
  return field(app.t("looks.sounds"), box, app.t("looks.sounds_for"));
}
