/** Formats command prefixes as a list for the model, the shortest first. */
export function formatAllowPrefixes(prefixes: readonly (readonly string[])[]): string {
  return [...prefixes].sort(byLength).map(toLine).join("\n");
}

function byLength(a: readonly string[], b: readonly string[]): number {
  const [one, other] = [a.join(" "), b.join(" ")];
  if (a.length !== b.length) return a.length - b.length;
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : Number(one > other);
}

function toLine(words: readonly string[]): string {
  return `- [${words.map((word) => JSON.stringify(word)).join(", ")}]`;
}
