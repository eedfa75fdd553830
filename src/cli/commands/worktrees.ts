import { codexHome } from "../../config/index.js";
import type { KeptWorktree } from "../../project/index.js";
import { type CommandIo, defineCommand } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { columnLines } from "../print.js";

/** Manages the worktrees that sessions work in. */
export const worktrees = defineCommand({
  name: "worktrees",
  summary: "List, prune and remove worktrees of sessions",
  verbs: [
    { name: "list", summary: "List worktrees", load: async () => list },
    { name: "prune", summary: "Remove worktrees without work", load: async () => prune },
    { name: "remove", summary: "Remove a worktree", load: async () => remove },
  ],
  options: {},
  details: "`quire --worktree [NAME]` and `quire exec --worktree [NAME]` create them.",
  run: async (_input, io) => printList(io, false),
});

const list = defineCommand({
  name: "worktrees list",
  summary: "List worktrees",
  options: { json: { type: "boolean", help: "Print them as JSON" } },
  run: async ({ values }, io) => printList(io, values.json),
});

const prune = defineCommand({
  name: "worktrees prune",
  summary: "Remove worktrees without work",
  options: { "dry-run": { type: "boolean", help: "Print what would be removed, remove nothing" } },
  details: [
    "Keeps worktrees with changes, with commits that no other branch has, and those in use. Also removes",
    "what the repository of this directory lists of worktrees whose folders were deleted by hand.",
  ].join("\n"),
  async run({ values }, io) {
    const { readWorktrees, removeDeleted, removeKept, workOf } = await kept();
    const isDryRun = values["dry-run"];
    for (const path of await removeDeleted({ ...placeOf(io), cwd: io.cwd }, { isDryRun })) {
      io.stdout.write(`${path}\n`);
    }
    for (const worktree of await readWorktrees(placeOf(io))) {
      const reason = worktree.isUsed ? "a session works in it" : workOf(worktree);
      if (reason !== undefined) {
        io.stderr.write(`${worktree.name} stays: ${reason}\n`);
        continue;
      }
      if (!isDryRun) await removeKept(worktree, placeOf(io));
      io.stdout.write(`${worktree.path}\n`);
    }
    return exitCodes.ok;
  },
});

const remove = defineCommand({
  name: "worktrees remove",
  summary: "Remove a worktree",
  operands: "NAME",
  mostOperands: 1,
  options: { force: { type: "boolean", short: "f", help: "Remove it with the work in it" } },
  async run({ values, positionals: [name] }, io) {
    const { readWorktrees, removeKept, workOf } = await kept();
    const all = await readWorktrees(placeOf(io));
    const found = all.filter((one) => one.name === name || one.path === name);
    const [worktree, other] = found;
    if (worktree === undefined) {
      const known = all.length === 0 ? "there are none" : all.map((one) => one.name).join(", ");
      throw new UsageError(`Expected the name of a worktree: ${known} (got "${name ?? ""}")`);
    }
    if (other !== undefined) {
      throw new UsageError(`${name} is ambiguous; use a path: ${worktree.path}, ${other.path}`);
    }
    const reason = worktree.isUsed ? "a session works in it" : workOf(worktree);
    if (reason !== undefined && (worktree.isUsed || !values.force)) {
      const remedy = worktree.isUsed ? "end the session first" : "--force removes it all the same";
      io.stderr.write(`${worktree.name} stays: ${reason}; ${remedy}\n`);
      return exitCodes.failed;
    }
    await removeKept(worktree, placeOf(io), { force: values.force });
    io.stdout.write(`Removed ${worktree.path}\n`);
    return exitCodes.ok;
  },
});

function kept() {
  return import("../../project/kept-worktrees.js");
}

function placeOf(io: CommandIo) {
  return { env: io.env, home: codexHome(io.env) };
}

async function printList(io: CommandIo, isJson: boolean): Promise<number> {
  const { readWorktrees } = await kept();
  const found = await readWorktrees(placeOf(io));
  const rows = found.map((one) => [one.name, one.branch, stateText(one), one.path]);
  const text =
    found.length === 0
      ? "No worktrees.\n"
      : `${columnLines([["Name", "Branch", "State", "Path"], ...rows]).join("\n")}\n`;
  io.stdout.write(isJson ? `${JSON.stringify(found, null, 2)}\n` : text);
  return exitCodes.ok;
}

function stateText({ isUsed, isDirty, isAhead, problem }: KeptWorktree): string {
  if (problem !== undefined) return "broken";
  const states = [isUsed && "in use", isDirty && "changed", isAhead && "commits"].filter(Boolean);
  return states.length === 0 ? "clean" : states.join(", ");
}
