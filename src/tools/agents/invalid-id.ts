/** Returns the text that clients of the reference know for an agent id that is not a UUID. */
export function invalidId(id: string): string {
  return `invalid agent id ${id}: Error(${problemOf(id)})`;
}

function problemOf(id: string): string {
  const wrong = id.search(/[^0-9a-f-]/i);
  if (wrong >= 0) {
    const character = String.fromCodePoint(id.codePointAt(wrong) ?? 0);
    return `ParseChar { character: '${character}', index: ${wrong + 1} }`;
  }
  const groups = id.split("-");
  if (groups.length === 1) return `ParseSimpleLength { len: ${id.length} }`;
  if (groups.length !== 5) return `ParseGroupCount { count: ${groups.length} }`;
  const group = groups.findIndex((one, at) => one.length !== lengths[at]);
  const index = lengths.slice(0, group).reduce((sum, length) => sum + length + 1, 1);
  return `ParseGroupLength { group: ${group}, len: ${groups[group]?.length}, index: ${index} }`;
}

const lengths = [8, 4, 4, 4, 12];
