// How long a player may still think: in the panels, every half second.

export function showClocks(felt, told) {
  const { clocks, question } = told ?? {};
  for (const node of felt.querySelectorAll(".clock")) {
    const seat = Number(node.dataset.seat);
    const asked = question?.to_act?.includes(seat) && clocks?.turn !== null && clocks?.turn !== undefined;
    const left = asked ? clocks.turn - (performance.now() - clocks.since) / 1000 : null;
    const spare = clocks?.reserve?.[seat];
    const shown = left === null ? null : left > 0 ? left : (spare ?? 0) + left;
    const text = shown === null ? "" : minutes(Math.max(0, Math.ceil(shown)));
    if (node.textContent !== text) node.textContent = text;
    node.classList.toggle("is-short", shown !== null && shown < 10);
  }
}

function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
