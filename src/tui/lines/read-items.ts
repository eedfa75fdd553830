import { nearest } from "../../lib/nearest.js";
import { absentStatusItems, type StatusItemName, statusItems } from "./status-items.js";

/** Names of items, and what is wrong with those that are not known. */
export interface ReadItems {
  items: StatusItemName[];
  problems: { text: string; hint: string }[];
}

/** All names, in the order of the lists that show them. */
export const statusItemNames = Object.keys(statusItems) as readonly StatusItemName[];

/** Other names of items. */
const aliases: Readonly<Record<string, StatusItemName>> = {
  mode: "permissions",
  project: "project-name",
  thread: "thread-title",
  "thread-name": "thread-title",
};

/** Reads the names of items; `where` names their list in a problem. */
export function readItems(names: readonly string[], where: string): ReadItems {
  const read: ReadItems = { items: [], problems: [] };
  for (const name of names) {
    const item = statusItemNames.find((each) => each === name) ?? aliases[name];
    if (item === undefined) read.problems.push(problemOf(name, where));
    else if (!read.items.includes(item)) read.items.push(item);
  }
  return read;
}

function problemOf(name: string, where: string): { text: string; hint: string } {
  const isAbsent = absentStatusItems.includes(name);
  const near = nearest(name, [...statusItemNames, ...Object.keys(aliases)]);
  return {
    text: `Item ${JSON.stringify(name)} of ${where} is ${isAbsent ? "not available here" : "not known"}`,
    hint:
      near === undefined || isAbsent
        ? "/statusline and /title list all items"
        : `Did you mean ${JSON.stringify(near)}?`,
  };
}
