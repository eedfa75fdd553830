/** The value at a place that is written as in a program: `thread.turns[0].items`. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split(/[.[\]]+/)) {
    if (key === "") continue;
    found = (found as Record<string, unknown> | null | undefined)?.[key];
  }
  return found;
}
