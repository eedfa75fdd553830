/** Rows as lines with their columns under each other, the last one as wide as it is. */
export function columnLines(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(visible));
  const widths: number[] = [];
  for (const row of shown) {
    for (const [column, text] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, text.length);
    }
  }
  return shown.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** So many bytes in a form for people: `512 B`, `1.5 MiB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A moment in local time, to the minute: `2026-01-31 12:00`. */
export function dateText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Reads a span of time such as `30d`, `12h` or `4w`, in milliseconds; nothing when it is none. */
export function parseSpan(text: string): number | undefined {
  const found = /^(\d{1,6})([hdwmy])$/.exec(text.trim());
  const hours = { h: 1, d: 24, w: 7 * 24, m: 30 * 24, y: 365 * 24 }[found?.[2] ?? ""];
  return hours === undefined ? undefined : Number(found?.[1]) * hours * 3_600_000;
}

/** Reads a size such as `500mb` or `2gb`, in bytes; undefined if it is none. */
export function parseSize(text: string): number | undefined {
  const found = /^(\d{1,6})(kb|mb|gb)$/i.exec(text.trim());
  const power = { kb: 1, mb: 2, gb: 3 }[(found?.[2] ?? "").toLowerCase()];
  return power === undefined ? undefined : Number(found?.[1]) * 1024 ** power;
}

/** `1 session`, `2 sessions`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/**
 * Text of unknown origin on one line of a terminal.
 *
 * What would move the cursor, colour the rest or turn text around is shown, not sent.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) => {
    if (char === "\n") return "\\n";
    if (char === "\t") return " ";
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** The same for text of several lines, whose line ends stay. */
export function visibleLines(text: string): string {
  return text
    .split("\n")
    .map((line) => visible(line))
    .join("\n");
}
