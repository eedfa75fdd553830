import { resolve } from "node:path";
import { codexHome } from "../../../config/index.js";
import { listThreads, type ThreadSummary } from "../../../rollout/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { columnLines, dateText } from "../../print.js";

/** Lists the sessions of this machine, newest first. */
export const sessionsList = defineCommand({
  name: "sessions list",
  summary: "List sessions, newest first",
  options: {
    archived: { type: "boolean", help: "List archived sessions" },
    cd: { type: "string", short: "C", value: "DIR", help: "List only sessions of this directory" },
    limit: {
      type: "string",
      short: "n",
      value: "N",
      default: "25",
      help: "List at most N sessions",
    },
    json: { type: "boolean", help: "Print the sessions as JSON" },
  },
  async run({ values }, io) {
    if (!/^[1-9]\d{0,5}$/.test(values.limit)) {
      throw new UsageError(
        `Expected --limit to be a number from 1 to 999999 (got ${values.limit})`,
      );
    }
    const archived = values.archived ?? false;
    const { items, nextCursor } = await listThreads(codexHome(io.env), {
      pageSize: Number(values.limit),
      sortKey: "updated_at",
      archived,
      ...(values.cd === undefined ? {} : { cwd: resolve(io.cwd, values.cd) }),
    });
    if (values.json) {
      const all = items.map((item) => toJson(item, archived));
      io.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
      return exitCodes.ok;
    }
    io.stdout.write(listText(items, io.stdout.columns));
    if (nextCursor !== undefined)
      io.stderr.write("More sessions exist; raise --limit to see them\n");
    return exitCodes.ok;
  },
});

function toJson(item: ThreadSummary, archived: boolean) {
  const { id, name = null, preview, cwd, source, provider = null, git = null, path } = item;
  return {
    id,
    name,
    preview,
    cwd,
    createdAt: item.timestamp,
    updatedAt: new Date(item.updatedAtMs).toISOString(),
    source,
    modelProvider: provider,
    cliVersion: item.cliVersion,
    forkedFromId: item.forkedFromId ?? null,
    git,
    path,
    archived,
  };
}

function listText(items: readonly ThreadSummary[], width = 100): string {
  if (items.length === 0) return "No sessions found.\n";
  const rows = items.map(({ id, name, preview, updatedAtMs }) => [
    dateText(updatedAtMs),
    id,
    (name === undefined ? preview : `${name}: ${preview}`).replaceAll(/\s+/g, " ").trim(),
  ]);
  const lines = columnLines([["Updated", "Id", "About"], ...rows]);
  return `${lines.map((line) => cut(line, width)).join("\n")}\n`;
}

function cut(line: string, width: number): string {
  const chars = [...line];
  return chars.length <= width ? line : `${chars.slice(0, Math.max(1, width - 1)).join("")}…`;
}
