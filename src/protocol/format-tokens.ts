/** A number of tokens in three digits and a suffix, for a person: 1234 is `1.23K`. */
export function formatTokens(count: number): string {
  const whole = Math.max(0, Math.trunc(count));
  if (whole < 1000) return String(whole);
  for (const [unit, suffix] of units) {
    for (const digits of [2, 1, 0]) {
      const scaled = whole / unit;
      // The rounded value decides, so that 9.999 becomes 10.0 and 999.95M becomes 1.00G.
      if (Math.round(scaled * 10 ** digits) < 1000) return `${scaled.toFixed(digits)}${suffix}`;
    }
  }
  return `${Math.round(whole / 1e9).toLocaleString("en-US")}G`;
}

const units: readonly [number, string][] = [
  [1e3, "K"],
  [1e6, "M"],
  [1e9, "G"],
];
