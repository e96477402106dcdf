// A QR code of a link: pure, from a text to rows of dark and light modules (ISO/IEC 18004). Bytes
// at the lowest level of error correction, up to version 13: a link of up to 425 bytes.

/** For each version: codewords of correction in a block, and `[blocks, codewords of data]`. */
const BLOCKS = [
  [7, [1, 19]], [10, [1, 34]], [15, [1, 55]], [20, [1, 80]], [26, [1, 108]], [18, [2, 68]], [20, [2, 78]],
  [24, [2, 97]], [30, [2, 116]], [18, [2, 68], [2, 69]], [20, [4, 81]], [24, [2, 92], [2, 93]], [26, [4, 107]],
];
/** For each version from the second: where patterns of alignment stand, besides at 6. */
const ALIGNED = [
  [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50], [30, 54], [32, 58], [34, 62],
];
const MASKS = [
  (x, y) => (x + y) % 2,
  (x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];
const LEVEL = 0b01;

/** Rows of modules, true is dark; null if the text is too long. `mask` is chosen if it is not given. */
export function qrCode(text, mask = null) {
  const bytes = [...new TextEncoder().encode(text)];
  const at = BLOCKS.findIndex((blocks, each) => bytes.length + (each < 9 ? 2 : 3) <= capacity(blocks));
  if (at < 0) return null;
  const version = at + 1;
  const codewords = interleaved(padded(bytes, version), BLOCKS[at]);
  const made = (each) => masked(version, codewords, each);
  if (mask !== null) return made(mask);
  const codes = MASKS.map((_, each) => made(each));
  const penalties = codes.map(penalty);
  return codes[penalties.indexOf(Math.min(...penalties))];
}

function capacity([, ...groups]) {
  return groups.reduce((sum, [blocks, size]) => sum + blocks * size, 0);
}

/** The codewords of data: mode, length, bytes, and padding to the end. */
function padded(bytes, version) {
  const bits = [];
  const put = (value, length) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, 4);
  const words = [];
  for (let bit = 0; bit < bits.length; bit += 8) {
    words.push(Array.from({ length: 8 }, (_, each) => bits[bit + each] ?? 0).reduce((sum, one) => 2 * sum + one, 0));
  }
  const size = capacity(BLOCKS[version - 1]);
  for (let pad = 0; words.length < size; pad++) words.push(pad % 2 ? 0x11 : 0xec);
  return words.slice(0, size);
}

/** Data and correction of all blocks, taken from each in turn. */
function interleaved(data, [corrections, ...groups]) {
  const blocks = [];
  let start = 0;
  for (const [count, size] of groups) {
    for (let block = 0; block < count; block++, start += size) blocks.push(data.slice(start, start + size));
  }
  const correcting = blocks.map((block) => remainder(block, corrections));
  const inTurn = (lists) => {
    const longest = Math.max(...lists.map((list) => list.length));
    return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => (at < list.length ? [list[at]] : []))).flat();
  };
  return [...inTurn(blocks), ...inTurn(correcting)];
}

/** A product in the field of 256 elements that Reed and Solomon's codes use here. */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/** The codewords that correct a block: the remainder of a division of polynomials. */
function remainder(block, length) {
  let divisor = [1];
  for (let root = 1, each = 0; each < length; each++, root = times(root, 2)) {
    divisor = [...divisor, 0].map((factor, at) => factor ^ (at ? times(divisor[at - 1], root) : 0));
  }
  const rest = [...block, ...new Array(length).fill(0)];
  for (let at = 0; at < block.length; at++) {
    const factor = rest[at];
    divisor.forEach((each, next) => {
      rest[at + next] ^= times(each, factor);
    });
  }
  return rest.slice(block.length);
}

/** A code with its patterns, its data under a mask, and what says which mask it is. */
function masked(version, codewords, mask) {
  const size = 17 + 4 * version;
  const rows = Array.from({ length: size }, () => new Array(size).fill(null));
  const set = (x, y, dark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) rows[y][x] = Boolean(dark);
  };
  patterns(version, size, rows, set);
  information(version, size, mask, set);
  let bit = 0;
  // Columns two by two from the right, up and down in turn; the sixth belongs to a pattern.
  for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] !== null) continue;
        const dark = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        rows[y][x] = Boolean(dark) !== (MASKS[mask](x, y) === 0);
        bit++;
      }
    }
  }
  return rows;
}

function patterns(version, size, rows, set) {
  const square = (left, top, reach, dark) => {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) set(left + dx, top + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const places = version > 1 ? [6, ...ALIGNED[version - 2]] : [];
  for (const x of places) {
    for (const y of places) if (rows[y][x] === null) square(x, y, 2, (ring) => ring !== 1);
  }
  for (let at = 8; at < size - 8; at++) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
}

/** The bits that say level and mask, twice, and from version 7 on those that say the version. */
function information(version, size, mask, set) {
  const data = (LEVEL << 3) | mask;
  const format = ((data << 10) | checked(data, 10, 0x537)) ^ 0x5412;
  for (let bit = 0; bit < 15; bit++) {
    const dark = (format >> bit) & 1;
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : null;
    if (near !== null) set(8, near, dark);
    else set(bit === 8 ? 7 : 14 - bit, 8, dark);
    if (bit < 8) set(size - 1 - bit, 8, dark);
    else set(8, size - 15 + bit, dark);
  }
  set(8, size - 8, true);
  if (version < 7) return;
  const bits = (version << 12) | checked(version, 12, 0x1f25);
  for (let bit = 0; bit < 18; bit++) {
    const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
    set(far, near, (bits >> bit) & 1);
    set(near, far, (bits >> bit) & 1);
  }
}

/** The bits that check `value`: the remainder of a division of polynomials of bits. */
function checked(value, length, divisor) {
  let rest = value;
  for (let bit = 0; bit < length; bit++) rest = (rest << 1) ^ ((rest >> (length - 1)) * divisor);
  return rest;
}

/** How hard a code is to read: lines and squares of one kind, what looks like a corner, too much dark. */
function penalty(rows) {
  const size = rows.length;
  const lines = [...rows, ...rows.map((_, x) => rows.map((row) => row[x]))];
  let sum = 0;
  for (const line of lines) {
    const text = line.map(Number).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...text.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const here = rows[y][x];
      if (here === rows[y - 1][x] && here === rows[y][x - 1] && here === rows[y - 1][x - 1]) sum += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length;
  return sum + 10 * Math.floor((20 * Math.abs(dark - size * size / 2)) / (size * size));
}

/** A code as one drawing, with the light edge that phones need; null if the text is too long. */
export function qrDrawing(text, label) {
  const rows = qrCode(text);
  if (!rows) return null;
  const draw = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };
  const side = rows.length + 8;
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join("");
  const svg = draw("svg", { class: "qr", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label });
  svg.append(draw("rect", { class: "light", width: side, height: side }), draw("path", { class: "dark", d: path }));
  return svg;
}
