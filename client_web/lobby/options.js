// Forms made from what a game says of its options, and from the settings that every table has.

import { el, field, select } from "../dom.js";
import { optionTitle, valueText } from "./bots.js";

/** The settings of tables: each with the values that a person may choose from. */
export const SETTINGS = {
  private: "yes or no",
  turn_seconds: ["", "0", "30", "60", "120", "300"],
  hints: "yes or no",
  watchable: "yes or no",
  bot_delay: ["", "0", "0.3", "1", "2"],
  latecomers: ["ask", "never", "anyone"],
  events: ["", "yes", "no"],
  spectator_chat: "yes or no",
};
const DEFAULTS = { hints: true, watchable: true, latecomers: "ask", private: false, spectator_chat: false };
/** Settings that came later, with the feature that names them. */
const LATER = { latecomers: "settings.latecomers", events: "settings.events", spectator_chat: "settings.spectator_chat" };

/** Fields for a game's options; `read()` gives the values by name. */
export function optionForm(app, game, values = {}) {
  const inputs = game.options.map((option) => {
    const value = values[option.name] ?? option.default;
    const usual = app.t("new.usual", { value: valueText(app, option, option.default) });
    const help = [option.help ?? "", usual].filter(Boolean).join(" ");
    const given = [optionTitle(app, option), help];
    if (typeof option.default === "boolean") return [option.name, check(value), ...given];
    if (option.words?.length) {
      const words = option.words.map((word) => [word, valueText(app, option, word)]);
      return [option.name, select(words, value), ...given];
    }
    const number = el("input", { type: "number", min: option.low, max: option.high, required: true, value });
    return [option.name, number, ...given];
  });
  const read = () => Object.fromEntries(inputs.map(([name, input]) => [name, valueOf(input)]));
  const fields = inputs.map(([, input, title, help]) => field(title, input, help));
  // An option without an effect is not shown; its value goes along all the same.
  const show = () => {
    const chosen = read();
    game.options.forEach(({ depends = {} }, at) => {
      fields[at].hidden = Object.entries(depends).some(([name, values]) => !values.includes(chosen[name]));
    });
  };
  for (const each of fields) each.addEventListener("change", show);
  show();
  return { fields, read };
}

/**
 * Fields for the settings of a table, whether it is private apart from the others; `help` says what
 * each does. `read()` gives their values.
 */
export function settingsForm(app, help = {}, values = {}) {
  const names = Object.keys(SETTINGS).filter((name) => !LATER[name] || app.session.knows(LATER[name]));
  const inputs = names.map((name) => {
    const kind = SETTINGS[name];
    const value = name in values ? values[name] : DEFAULTS[name] ?? null;
    const usual = app.t("new.usual", { value: wordOf(app, name, textOf(DEFAULTS[name] ?? null)) });
    const given = [app.t(`settings.${name}`), [help[name] ?? "", usual].filter(Boolean).join(" ")];
    if (kind === "yes or no") return [name, check(value), ...given];
    const text = textOf(value);
    const words = kind.includes(text) ? kind : [...kind, text];
    return [name, select(words.map((word) => [word, wordOf(app, name, word)]), text), ...given];
  });
  const read = () =>
    Object.fromEntries(inputs.map(([name, input]) => [name, settingOf(name, valueOf(input))]));
  const [hidden, ...others] = inputs.map(([, input, title, help]) => field(title, input, help));
  return { private: hidden, fields: others, read };
}

function textOf(value) {
  return value === null ? "" : value === true ? "yes" : value === false ? "no" : String(value);
}

function wordOf(app, name, word) {
  if (name === "latecomers") return app.t(`settings.latecomers_${word}`);
  if (word === "") return app.t("settings.usual");
  if (word === "yes" || word === "no") return app.t(word);
  return word === "0" && name === "turn_seconds" ? app.t("settings.no_clock") : app.t("settings.seconds", { seconds: word });
}

function settingOf(name, value) {
  if (name === "latecomers" || typeof value === "boolean") return value;
  if (value === "") return null;
  return value === "yes" ? true : value === "no" ? false : Number(value);
}

function check(checked) {
  return el("input", { type: "checkbox", checked });
}

function valueOf(input) {
  if (input.type === "checkbox") return input.checked;
  return input.type === "number" ? input.valueAsNumber : input.value;
}
