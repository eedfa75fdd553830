/** A number with its noun: `1 line`, `12 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A number with its thousands set apart: `12,345`. */
export function groupedNumber(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A large number in three digits: `950`, `12.3K`, `1.24M`. */
export function compactNumber(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 1_000_000) return `${threeDigits(value / 1000)}K`;
  return `${threeDigits(value / 1_000_000)}M`;
}

function threeDigits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
