import { inflateSync } from "node:zlib";

/** A picture of 4 bytes (red, green, blue, alpha) for each pixel. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Channels by color type. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const mostPixels = 16 * 1024 * 1024;

/** Decodes a PNG of 8 bits a channel that is not interlaced; returns undefined for any other. */
export function decodePng(bytes: Buffer): Picture | undefined {
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer): Picture | undefined {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, colorType = 0, , , interlace] = bytes.subarray(24, 29);
  const channels = channelsOf[colorType];
  if (depth !== 8 || interlace !== 0 || channels === undefined) return undefined;
  if (width * height > mostPixels) return undefined;
  const { data, palette, alphas } = readChunks(bytes);
  const maxOutputLength = height * (width * channels + 1);
  const rows = unfilter(inflateSync(data, { maxOutputLength }), width, height, channels);
  const pixels = new Uint8Array(width * height * 4);
  for (let index = 0; index < width * height; index += 1) {
    const own = rows.subarray(index * channels, (index + 1) * channels);
    pixels.set(colorOf(own, colorType, palette, alphas), index * 4);
  }
  return { width, height, pixels };
}

function readChunks(bytes: Buffer) {
  const data: Buffer[] = [];
  let palette = new Uint8Array();
  let alphas = new Uint8Array();
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (type === "IDAT") data.push(content);
    else if (type === "PLTE") palette = new Uint8Array(content);
    else if (type === "tRNS") alphas = new Uint8Array(content);
    at += length + 12;
  }
  return { data: Buffer.concat(data), palette, alphas };
}

/** Undoes the filter of each row. */
function unfilter(raw: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels;
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (rows[at - channels] ?? 0);
      const above = y === 0 ? 0 : (rows[at - stride] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (rows[at - stride - channels] ?? 0);
      const value = raw[y * (stride + 1) + 1 + x] ?? 0;
      rows[at] = value + predicted(filter, left, above, corner);
    }
  }
  return rows;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function colorOf(
  own: Uint8Array,
  colorType: number,
  palette: Uint8Array,
  alphas: Uint8Array,
): [number, number, number, number] {
  const [first = 0, second = 255, third = 0, fourth = 255] = own;
  if (colorType === 6) return [first, second, third, fourth];
  if (colorType === 2) return [first, second, third, 255];
  if (colorType === 4) return [first, first, first, second];
  if (colorType === 0) return [first, first, first, 255];
  const [red = 0, green = 0, blue = 0] = palette.subarray(first * 3, first * 3 + 3);
  return [red, green, blue, alphas[first] ?? 255];
}
