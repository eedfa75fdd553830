/** A picture as a data URL, by its content; nothing when the bytes are no picture we know. */
export function toImageDataUrl(bytes: Buffer): string | undefined {
  const type = imageType(bytes);
  return type === undefined ? undefined : `data:${type};base64,${bytes.toString("base64")}`;
}

/** The type of a picture by its first bytes: names lie, contents do not. */
function imageType(bytes: Uint8Array): string | undefined {
  return signatures.find(({ at, text }) => startsWith(bytes, at, text))?.type;
}

const signatures = [
  { type: "image/png", at: 0, text: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", at: 0, text: "\xff\xd8\xff" },
  { type: "image/gif", at: 0, text: "GIF87a" },
  { type: "image/gif", at: 0, text: "GIF89a" },
  { type: "image/webp", at: 8, text: "WEBP" },
  { type: "image/bmp", at: 0, text: "BM" },
];

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes.length < at + text.length) return false;
  for (let i = 0; i < text.length; i++) {
    if (bytes[at + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}
