import type { CommandCell, ExploredCell } from "../state/cell.js";
import { foundNothing } from "../state/exploring.js";
import { hang, truncate } from "../text/layout.js";
import { counted } from "../text/numbers.js";
import { oneLine } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { CommandAction } from "../wire.js";
import { commandLines } from "./command.js";
import { foldLines, statusMark } from "./small.js";

/** Lines of reads and searches shown. */
const mostLines = 6;

/** Renders consecutive reads, lists and searches as one block. */
export function exploredLines(cell: ExploredCell, view: View): string[] {
  if (view.isFull) return cell.commands.flatMap((command) => commandLines(command, view));
  const { theme, width } = view;
  const isRunning = cell.commands.some(({ isDone }) => !isDone);
  const mark = statusMark(isRunning ? "inProgress" : "completed", theme);
  const rows = merged(cell.commands.flatMap(actionsOf));
  const [only] = rows;
  if (only !== undefined && rows.length === 1 && !isRunning) {
    return [truncate(`${mark}${theme.bold(only.verb)} ${only.what.join(", ")}`, width)];
  }
  const head = isRunning
    ? theme.bold("Exploring")
    : `${theme.bold("Explored")} ${theme.dim(countsText(cell.commands))}`;
  const lines = rows.map(({ verb, what }) => `${theme.dim(verb)} ${what.join(", ")}`);
  const shown = foldLines(lines, mostLines).map((line) => truncate(line, Math.max(1, width - 4)));
  return [
    ...hang(head, width, mark, "  "),
    ...shown.map((line, index) => `${index === 0 ? theme.dim("  └ ") : "    "}${line}`),
  ];
}

interface Row {
  verb: string;
  what: string[];
}

/** Joins neighbors with the same verb, each subject once. */
function merged(actions: readonly { verb: string; what: string }[]): Row[] {
  const rows: Row[] = [];
  for (const { verb, what } of actions) {
    const last = rows.at(-1);
    if (last?.verb !== verb) rows.push({ verb, what: [what] });
    else if (!last.what.includes(what)) last.what.push(what);
  }
  return rows;
}

const verbs = { read: "Read", listFiles: "Listed", search: "Searched", unknown: "Ran" };

function actionsOf(command: CommandCell): { verb: string; what: string }[] {
  const end = command.isDone && foundNothing(command) ? " (nothing found)" : "";
  return (command.item.commandActions ?? []).map((action) => ({
    verb: verbs[action.type],
    what: `${oneLine(actionText(action))}${end}`,
  }));
}

function countsText(commands: readonly CommandCell[]): string {
  const actions = commands.flatMap(({ item }) => item.commandActions ?? []);
  const count = (type: CommandAction["type"]) =>
    new Set(actions.filter((action) => action.type === type).map(actionText)).size;
  const parts = [
    [count("read"), "file"],
    [count("listFiles"), "folder"],
    [count("search"), "pattern"],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, noun]) => counted(number, noun))
    .join(", ");
}

function actionText(action: CommandAction): string {
  if (action.type === "read") return action.name;
  if (action.type === "listFiles") return action.path ?? ".";
  if (action.type === "search") {
    const query = action.query ?? action.command;
    return action.path ? `${query} in ${action.path}` : query;
  }
  return action.command;
}
