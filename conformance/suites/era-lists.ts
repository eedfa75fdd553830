import type { SuiteCase } from "../suite.js";

/** Holds a case about a command against the list of every era that states it. */
export function checkEraLists<List>(
  { era, argv, platform }: SuiteCase,
  lists: Record<string, List>,
  check: (argv: string[], list: List, platform: "win32" | "linux") => string | undefined,
): string | undefined {
  for (const name of era.split("+")) {
    const list = lists[name];
    if (list === undefined) return `no list for era ${name}`;
    const difference = check(argv as string[], list, platform === "windows" ? "win32" : "linux");
    if (difference !== undefined) return `${name}: ${difference}`;
  }
  return undefined;
}
