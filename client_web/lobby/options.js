// Forms made from what a game says of its options, and from the settings that every table has.

import { button, el, field, say, select, show } from "../dom.js";
import { isolated } from "../words.js";
import { optionTitle, secondsText, valueText } from "./bots.js";

/**
 * Fields for a game's options, at a table of so many `seats`; `values` are those in force there.
 * `read()` gives what was changed, by name; what nobody has touched is left to the game. `fit(seats)`
 * brings the form to another number of players and keeps what was changed where it still fits.
 * `refused(error)` shows the field that a refusal is about, and calls it by its title.
 */
export function optionForm(app, game, seats, values = {}) {
  const fields = game.options.map((option) => new OptionField(app, option, values[option.name]));
  // An option without an effect is not shown, and nobody is asked to mend what is not shown.
  const show = () => {
    const chosen = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    for (const field of fields) {
      const depends = Object.entries(field.option.depends ?? {});
      field.show(depends.every(([name, values]) => values.includes(chosen[name])));
    }
  };
  const fit = (number) => {
    for (const field of fields) field.fit(number);
    show();
  };
  for (const { element } of fields) element.addEventListener("change", show);
  fit(seats);
  const changed = () => fields.filter((field) => field.isChanged && field.fits);
  return {
    fields: fields.map(({ element }) => element),
    read: () => Object.fromEntries(changed().map(({ name, value }) => [name, value])),
    fit,
    refused: (error) => {
      const { phrase } = error;
      const about = fields.find(({ name }) => name === phrase?.args?.option);
      if (!about) return error;
      about.reveal();
      const option = app.t("new.option", { title: about.title });
      return { ...error, phrase: { ...phrase, args: { ...phrase.args, option } } };
    },
  };
}

class OptionField {
  /** `value` is the value in force at a table; a new table has the game's default. */
  constructor(app, option, value) {
    this.app = app;
    this.option = option;
    this.name = option.name;
    this.title = optionTitle(app, option);
    this._inForce = value;
    this._input = this._made();
    this.element = field(this.title, this._input, " ");
    this._help = this.element.querySelector("small");
  }

  get value() {
    return valueOf(this._input);
  }

  get isChanged() {
    return this.value !== this._untouched;
  }

  /** Whether the option takes the value; for a select it always does. */
  get fits() {
    if (this._input.type !== "number") return true;
    const { low, high } = this._bounds;
    return Number.isInteger(this.value) && this.value >= (low ?? -Infinity) && this.value <= (high ?? Infinity);
  }

  /** Take the option's default and bounds for this number of players. */
  fit(seats) {
    const { app, option } = this;
    const isNew = !this._bounds;
    const isTouched = !isNew && this.isChanged;
    this._bounds = option.by_seats?.find((each) => each.seats === seats) ?? option;
    this._untouched = this._inForce ?? this._bounds.default;
    if (!isTouched || !this.fits) setValue(this._input, this._untouched);
    const { low, high } = this._bounds;
    const isBounded = this._input.type === "number" && Number.isInteger(low) && Number.isInteger(high);
    if (isBounded) Object.assign(this._input, { min: low, max: high });
    const bounds = isBounded ? app.t("new.bounds", { low, high }) : "";
    const usual = app.t("new.usual", { value: valueText(app, option, this._bounds.default) });
    say(this._help, [isolated(option.help ?? ""), bounds, usual].filter(Boolean).join(" "));
  }

  show(shown) {
    show(this.element, shown);
    // Otherwise a browser would not send a form because of a value that nobody sees.
    this._input.disabled = !shown;
  }

  /** Scroll to the field, and focus it. */
  reveal() {
    const box = this.element.closest("details");
    if (box) box.open = true;
    this._input.focus();
  }

  _made() {
    const { app, option } = this;
    if (typeof option.default === "boolean") return check(option.default);
    if (!option.words?.length) return el("input", { type: "number", required: true });
    return select(option.words.map((word) => [word, valueText(app, option, word)]), option.default);
  }
}

/**
 * Fields for the settings of a table, whether it is private apart from the others; `settings` has
 * what there is to say of each. `read()` gives their values.
 */
export function settingsForm(app, settings, values = {}) {
  const shown = Object.entries(settings ?? {}).filter(([name, { later }]) => !later || app.session.knows(`settings.${name}`));
  const made = shown.map(([name, setting]) => {
    const value = name in values ? values[name] : setting.usual;
    const usual = app.t("new.usual", { value: settingText(app, setting, setting.usual) });
    const input = settingInput(app, setting, value);
    return { name, input, field: field(app.texts.settings[name], input, `${setting.help} ${usual}`) };
  });
  const isPrivate = ({ name }) => name === "private";
  return {
    private: made.find(isPrivate)?.field ?? null,
    fields: made.filter((each) => !isPrivate(each)).map((each) => each.field),
    read: () => Object.fromEntries(made.map(({ name, input }) => [name, chosenIn(input)])),
  };
}

function settingInput(app, setting, value) {
  if (typeof setting.usual === "boolean") return check(value);
  const offered = setting.values.includes(value) ? setting.values : [...setting.values, value];
  // As JSON a number is told from a word, and null from both.
  const options = offered.map((each) => [JSON.stringify(each), settingText(app, setting, each)]);
  return select(options, JSON.stringify(value));
}

/** The value that the player has chosen for a setting. */
function chosenIn(input) {
  return input.type === "checkbox" ? input.checked : JSON.parse(input.value);
}

/** The text of a setting's value; null is the server's default. */
function settingText(app, { words }, value) {
  const word = words[value ?? "default"];
  if (word) return word;
  if (typeof value === "boolean") return app.t(value ? "yes" : "no");
  return typeof value === "number" ? secondsText(app, String(value)) : String(value);
}

function check(checked) {
  return el("input", { type: "checkbox", checked });
}

function valueOf(input) {
  if (input.type === "checkbox") return input.checked;
  return input.type === "number" ? input.valueAsNumber : input.value;
}

function setValue(input, value) {
  if (input.type === "checkbox") input.checked = value;
  else input.value = value;
}

/** A dialog in which the host changes the options and settings of the table in `picture`. */
export async function changeTable(app, game, picture) {
  const { info, table } = picture;
  const options = optionForm(app, game, info.seats.length, info.options);
  const settings = settingsForm(app, (await app.more())?.settings, info.settings);
  const submit = async (event) => {
    event.preventDefault();
    // Settings that this page does not know go back as they came.
    const changed = { ...info.settings, ...settings.read() };
    const answer = await app.connection.ask("configure", { table, options: options.read(), settings: changed });
    if (answer.type === "error") app.refuse(options.refused(answer), picture);
    else dialog.close();
  };
  const dialog = el("dialog", {}, [
    el("form", { onsubmit: submit }, [
      el("h2", { text: app.t("new.options") }),
      settings.private,
      el("div", { class: "fields" }, [...options.fields, ...settings.fields]),
      el("div", { class: "actions" }, [
        el("button", { class: "main", text: app.t("save") }),
        button(app.t("cancel"), () => dialog.close()),
      ]),
    ]),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
