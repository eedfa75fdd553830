/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads `key=value,key=value` with percent encoding, as OpenTelemetry writes lists. */
export function parsePairs(text: string | undefined): Record<string, string> {
  const entries = (text ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    const key = pair.slice(0, at).trim();
    return at < 0 || key === "" ? [] : [[decode(key), decode(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(entries);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns true for `true` in any case. */
export function isTrue(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === "true";
}

/** Reads a positive number; undefined if it is none. */
export function toNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return text !== undefined && number > 0 && Number.isFinite(number) ? number : undefined;
}
