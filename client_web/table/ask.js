// What the player is asked: a sentence, and the few buttons that clicks on cards leave.

import { button as newButton, make, mark, say } from "../dom.js";
import { placed } from "./placing.js";

export class Ask {
  constructor(table) {
    this.table = table;
    this.question = make("p", "question");
    this.buttons = make("div", "buttons");
    this.element = make("div", "ask", this.question, this.buttons);
  }

  // The question, or what takes its place: a refusal, a hint, whom everybody waits for.
  text() {
    const { table } = this;
    const { scene } = table;
    if (table.problem) return table.problem;
    if (table.sent) return table.say("on_its_way");
    // A card that says "tap again" would promise what cannot be.
    if (scene.online === false && scene.question?.to_act?.includes(scene.seat)) return table.say("no_link");
    if (table.noted) return table.noted;
    return table.hinted && !scene.bot ? table.hinted.text : this.asked();
  }

  // The question alone, which has the room.
  asked() {
    const { table } = this;
    const { scene } = table;
    if (scene.bot) return scene.bot.text;
    if (scene.info?.phase === "finished") return table.say("over");
    if (scene.info?.phase === "paused") return table.say("paused");
    if (scene.past) return "";
    if (table.isMine()) return this.own();
    const others = (scene.question?.to_act ?? []).filter((seat) => seat !== scene.seat);
    if (!others.length) return "";
    const names = others.map((seat) => scene.words.name(seat));
    return others.length > 2 ? table.say("waiting_many", { count: others.length })
      : table.say("waiting", { names: names.join(", ") });
  }

  own() {
    const { table } = this;
    const { scene } = table;
    const { "now/choice": asked, "now/choice_text": more } = scene.view.values ?? {};
    const prompt = table.picked.length && !table.offer.pick ? null : scene.words.worded(scene.question.choices.prompt);
    if (prompt) return prompt;
    if (typeof asked === "string" && (!table.picked.length || table.offer.pick)) {
      return [asked, more].filter(Boolean).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(" ");
    }
    if (table.read.pick && table.offer.pick) {
      const { least, most } = table.read.pick;
      const verb = this.verb(table.read.pick.verb);
      const pick = table.say(least === most ? "pick" : "pick_some", { verb, least, most });
      return `${table.say("your_turn")} ${pick}`;
    }
    if (table.picked.length) return table.say("go_on");
    return table.say("your_turn");
  }

  // What is done with the cards of a pick. A game that somebody has described has its own words, but
  // most say nothing of what every game calls to play.
  verb(verb) {
    const { table } = this;
    const words = table.words();
    if (verb !== "play" || Object.hasOwn(words.moves, verb)) return words.move(verb);
    // What is done with them stands in the question, if it says so.
    return table.say(table.scene.view.values?.["now/choice"] ? "choose" : "play");
  }

  // The buttons with their words.
  worded() {
    const { table } = this;
    if (table.scene.bot) return [{ label: table.scene.bot.back }];
    const buttons = table.offer.buttons.map((each) =>
      each.label === null
        ? { ...each, label: upper(table.say("confirm", { verb: this.verb(each.verb), count: each.count })) }
        : each,
    );
    if (table.picked.length) buttons.push({ label: table.say("cancel"), cancel: true });
    return buttons;
  }

  // A sentence that `isLonger` than the question lies over what is above: neither cards nor buttons move.
  draw(question, buttons, area, isLonger) {
    const { table } = this;
    if (area) placed(this.element, area);
    this.element.classList.toggle("is-longer", isLonger);
    say(this.question, question);
    this.question.classList.toggle("is-problem", Boolean(table.problem));
    const had = this.buttons.contains(document.activeElement);
    // Where cards can be played, a move without a card is the exception.
    const { offer, picked } = table;
    const special = !picked.length && !offer.pick && [...offer.places.values()].some((moves) =>
      moves.some((move) => move.cards.length));
    buttons.forEach((button, at) => {
      const node = this.buttons.children[at] ?? this.buttons.appendChild(newButton("", null, { class: "choice" }));
      say(node, button.amount ?? button.label);
      mark(node, "aria-label", button.amount && button.label);
      node.classList.toggle("is-amount", Boolean(button.amount));
      node.classList.toggle("is-quiet", Boolean(button.cancel || special));
      node.classList.toggle("is-hint", Boolean(button.action && button.action === table.hinted?.action));
      mark(node, "aria-disabled", String(button.action === null));
      mark(node, "data-key", `choice ${at}`);
      node.choice = button;
    });
    while (this.buttons.children.length > buttons.length) this.buttons.lastChild.remove();
    if (had && !this.buttons.contains(document.activeElement)) table.keys.focusFirst();
  }
}

function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
