/** Formats a duration: `40 ms`, `1.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a duration without fractions of a second: `4 s`. */
export function secondsText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1000);
}

/** Formats a cost in US dollars: `$0.004`, `$0.15`, `$12.40`. */
export function costText(cost: number): string {
  if (cost > 0 && cost < 0.0005) return "< $0.001";
  return `$${cost.toFixed(cost < 0.1 ? 3 : 2)}`;
}

/** Formats a count of tokens: `940`, `12.3k`, `1.2M`. */
export function tokensText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Formats an amount of text: `512 B`, `1.5 MB`. */
export function sizeText(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1_000_000) return `${Math.round(count / 1000)} kB`;
  return `${(count / 1_000_000).toFixed(1)} MB`;
}

/** Formats the time since a moment in Unix seconds: `now`, `5m`, `3h`, `2d`, `4 Mar`. */
export function agoText(seconds: number, now = Date.now()): string {
  const passed = Math.max(0, now / 1000 - seconds);
  if (passed < 60) return "now";
  if (passed < 3600) return `${Math.floor(passed / 60)}m`;
  if (passed < 86_400) return `${Math.floor(passed / 3600)}h`;
  if (passed < 7 * 86_400) return `${Math.floor(passed / 86_400)}d`;
  return new Date(seconds * 1000).toLocaleDateString(undefined, { day: "numeric", month: "short" });
}

/** Returns the last part of a path. */
export function baseName(path: string): string {
  return (
    path
      .replace(/[/\\]+$/, "")
      .split(/[/\\]/)
      .at(-1) || path
  );
}

/** `1 file`, `2 files`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
