import { connectAppServer, RpcError } from "../../client/index.js";
import { codexHome } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ThreadRewindResponse, ThreadTreeResponse } from "../../protocol/rpc/v2/rewind.js";
import { listThreads } from "../../rollout/index.js";
import { type CommandIo, defineCommand, type Values } from "../command.js";
import { confirm } from "../confirm.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { requireEra } from "../identity.js";
import { columnLines, counted, dateText } from "../print.js";
import { findSession } from "./sessions/find-session.js";

const options = {
  to: { type: "string", value: "TURN", help: "Return to the state before this turn" },
  files: { type: "boolean", help: "Rewind the files only" },
  chat: { type: "boolean", help: "Rewind the conversation only (the default)" },
  both: { type: "boolean", help: "Rewind the conversation and the files" },
  undo: { type: "boolean", help: "Take back the last rewind" },
  "skip-conflicts": {
    type: "boolean",
    help: "Skip files that were changed since",
  },
  "dry-run": { type: "boolean", help: "Print what would change, change nothing" },
  yes: { type: "boolean", short: "y", help: "Do not ask for confirmation" },
  json: { type: "boolean", help: "Print the turns or the result as JSON" },
} as const;

type RewindValues = Values<typeof options>;

/** Returns a session to the state before one of its turns. */
export const rewind = defineCommand({
  name: "rewind",
  summary: "Return a session and its files to before a turn",
  operands: "[SESSION]",
  mostOperands: 1,
  options,
  details: [
    "SESSION is an id, the start of one, or a name; by default the last session of this directory.",
    "Without --to it lists the turns. TURN is the number of the list, an id, or the start of one.",
    "Files that were changed since by something else are never overwritten: they refuse the rewind.",
  ].join("\n"),
  async run({ values, positionals }, io) {
    const parts = partsOf(values);
    if (parts.length > 1) {
      throw new UsageError(`\`--${parts[0]}\` and \`--${parts[1]}\` cannot be used together`);
    }
    if (values.undo && (values.to !== undefined || parts.length > 0)) {
      throw new UsageError("`--undo` takes back a whole rewind; use it without --to and parts");
    }
    const threadId = await threadOf(positionals, io);
    try {
      return await rewindSession(threadId, values, io);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new CodexError("invalid_request", error.message, { cause: error });
    }
  },
});

async function rewindSession(threadId: string, values: RewindValues, io: CommandIo) {
  await using client = await connect(io);
  const list = (threadIdOf: string) => client.request("thread/tree", { threadId: threadIdOf });
  if (values.to === undefined && !values.undo) {
    io.stdout.write(listText(await list(threadId), values.json));
    return exitCodes.ok;
  }
  await client.request("thread/resume", { threadId, excludeTurns: true });
  const common = { threadId, ...(values["skip-conflicts"] && { skipConflicts: true }) };
  const turnId = values.to === undefined ? "" : findTurn(await list(threadId), values.to);
  const what = partsOf(values)[0] ?? "chat";
  const run = (dryRun: boolean): Promise<ThreadRewindResponse> =>
    values.undo
      ? client.request("thread/rewind/undo", { ...common, dryRun })
      : client.request("thread/rewind", { ...common, turnId, what, dryRun });
  const preview = await run(true);
  if (values["dry-run"]) {
    const text = values.json ? `${JSON.stringify(preview, null, 2)}\n` : previewText(preview);
    io.stdout.write(text);
    return exitCodes.ok;
  }
  if (!values.json) io.stderr.write(previewText(preview));
  if (preview.conflicts.length > 0 && !values["skip-conflicts"]) {
    io.stderr.write("Nothing was changed; --skip-conflicts restores the other files.\n");
    return exitCodes.failed;
  }
  const isSure = values.yes || (await confirm("Rewind?", io));
  if (isSure === undefined) {
    throw new UsageError("No terminal to ask for confirmation: pass --yes, or --dry-run");
  }
  if (!isSure) {
    io.stderr.write("Nothing was changed.\n");
    return exitCodes.failed;
  }
  const done = await run(false);
  io.stdout.write(values.json ? `${JSON.stringify(done, null, 2)}\n` : "Done.\n");
  return exitCodes.ok;
}

async function connect(io: CommandIo) {
  const era = requireEra(io.env);
  const { startInProcessAppServer } = await import("../../server/serve.js");
  const host = { source: "cli", originator: "quire_rewind", isClient: false } as const;
  const channel = startInProcessAppServer({ env: io.env, cwd: io.cwd, era, host });
  const clientInfo = { name: "quire_rewind", title: "Quire rewind", version: era.compatibleWith };
  const client = await connectAppServer(channel, { clientInfo, signal: io.signal });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function threadOf([text]: string[], io: CommandIo): Promise<string> {
  const home = codexHome(io.env);
  if (text !== undefined) return (await findSession(home, text, "active")).id;
  const { items } = await listThreads(home, { cwd: io.cwd, pageSize: 1, sortKey: "updated_at" });
  const [last] = items;
  if (last === undefined) {
    throw new UsageError(`No session of ${io.cwd}; name one, see \`quire sessions list\``);
  }
  return last.id;
}

function activeTurns({ data }: ThreadTreeResponse) {
  return data.filter(({ isActive }) => isActive);
}

function listText(tree: ThreadTreeResponse, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(tree, null, 2)}\n`;
  const rows = activeTurns(tree).map((turn, index) => [
    String(index + 1),
    turn.startedAtMs === null ? "" : dateText(turn.startedAtMs),
    turn.changedFiles === 0 ? "" : counted(turn.changedFiles, "file"),
    turn.text.replaceAll(/\s+/g, " ").slice(0, 60),
  ]);
  if (rows.length === 0) return "The session has no turns.\n";
  return `${columnLines([["Turn", "Started", "Changed", "Message"], ...rows]).join("\n")}\n`;
}

function findTurn(tree: ThreadTreeResponse, text: string): string {
  const turns = activeTurns(tree);
  const numbered = /^\d{1,4}$/.test(text) ? turns[Number(text) - 1] : undefined;
  const found = numbered ?? turns.find(({ turnId }) => turnId === text);
  const byStart = turns.filter(({ turnId }) => text.length >= 4 && turnId.startsWith(text));
  const turn = found ?? (byStart.length === 1 ? byStart[0] : undefined);
  if (turn !== undefined) return turn.turnId;
  const expected = turns.length === 0 ? "there are none" : `1 to ${turns.length}, or an id`;
  throw new UsageError(`Expected --to to be a turn of the session: ${expected} (got "${text}")`);
}

function partsOf(values: RewindValues) {
  return (["files", "chat", "both"] as const).filter((name) => values[name]);
}

/** A switch or an undo may only add turns. */
function turnsText(removed: number): string {
  return removed === 0 ? "as it was before" : `${counted(removed, "turn")} removed`;
}

function previewText(result: ThreadRewindResponse): string {
  const { numTurns, files, conflicts, limits, what } = result;
  const signs = { add: "A", update: "M", delete: "D" };
  const lines = [
    ...(what === "files" ? [] : [`Conversation: ${turnsText(numTurns)}`]),
    ...(what === "chat" ? [] : [files.length === 0 ? "Files: none" : "Files:"]),
    ...files.map(({ path, kind, additions, deletions, isBinary }) => {
      const counts = isBinary ? "binary" : `+${additions} -${deletions}`;
      return `  ${signs[kind]} ${path} (${counts})`;
    }),
    ...conflicts.map(({ path, reason }) => `  ! ${path}: ${reason}`),
    ...limits.map((limit) => `  ? ${limit}`),
  ];
  return `${lines.join("\n")}\n`;
}
