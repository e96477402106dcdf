// Starts the page: reads its texts, and shows what it is.

import { el } from "./dom.js";
import { Speaker } from "./words.js";

const answer = await fetch(new URL("texts/en.json", import.meta.url));
const words = new Speaker(await answer.json());
document.body.replaceChildren(el("h1", { text: words.page("title") }));
