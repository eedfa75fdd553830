import type { ThreadRewindResponse, TurnTreeNode } from "../../protocol/rpc/v2/rewind.js";
import { shortPath } from "../text/layout.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** `/rewind` */
export const rewind: SlashCommand = {
  name: "rewind",
  summary: "Return to before a message: conversation, files or both",
  operands: "[undo]",
  async run(context, operands) {
    if (operands === "") return pickRewind(context);
    if (operands !== "undo") return printError(context, "Expected `/rewind` or `/rewind undo`");
    const { what } = await context.session.ask("thread/rewind/undo", {});
    if (what !== "files") await reload(context);
    printNotice(context, "The rewind was taken back");
  },
};

/** `/tree` */
export const tree: SlashCommand = {
  name: "tree",
  summary: "Show the branches of this session and switch to one",
  async run(context) {
    const { ui, session } = context;
    const { data, activeTurnId } = await session.ask("thread/tree", {});
    if (data.length === 0) return printError(context, "This session has no turns");
    const depths = depthsOf(data);
    const turnId = await ui.pick({
      title: "Continue after which turn?",
      text: "A dot marks the turns of the current branch. Files stay as they are.",
      choices: data.map((turn) => ({
        value: turn.turnId,
        label: `${turn.isActive ? "•" : " "} ${"  ".repeat(depths.get(turn.turnId) ?? 0)}${labelOf(turn)}`,
      })),
      selected: Math.max(
        0,
        data.findIndex((turn) => turn.turnId === activeTurnId),
      ),
      isSearched: true,
    });
    if (turnId === undefined || turnId === activeTurnId) return;
    await session.ask("thread/tree/switch", { turnId });
    await session.resume(session.threadId);
  },
};

/** Lets the user pick a message and what to rewind; the message is put into the composer. */
export async function pickRewind(context: CommandContext): Promise<void> {
  const { ui, session, composer } = context;
  const { data } = await session.ask("thread/tree", {});
  const turns = data.filter(({ isActive, text }) => isActive && text !== "");
  if (turns.length === 0) return printError(context, "There is no earlier message to return to");
  const turn = await ui.pick({
    title: "Return to before which message?",
    choices: turns.map((one) => ({ value: one, label: labelOf(one), ...filesOf(one) })),
    selected: turns.length - 1,
  });
  if (turn === undefined) return;
  const preview = await session.ask("thread/rewind", {
    turnId: turn.turnId,
    what: "both",
    dryRun: true,
  });
  const what = await pickPart(context, preview);
  if (what === undefined) return;
  const skipConflicts = what !== "chat" && preview.conflicts.length > 0;
  await session.ask("thread/rewind", {
    turnId: turn.turnId,
    what,
    ...(skipConflicts && { skipConflicts }),
  });
  if (what !== "files") {
    await reload(context);
    composer.setText(turn.text);
  }
  printNotice(context, doneText(what, preview), "/rewind undo takes it back");
}

/** Loads the thread after a rewind. Its turns are on the screen already, so they are not printed again. */
async function reload({ session }: CommandContext): Promise<void> {
  await session.resume(session.threadId);
  session.conversation.transcript.takeFresh();
}

function pickPart(
  { ui }: CommandContext,
  { numTurns, files, conflicts, limits }: ThreadRewindResponse,
): Promise<"chat" | "files" | "both" | undefined> {
  const turns = numTurns === 1 ? "1 turn is removed" : `${numTurns} turns are removed`;
  const lines = [
    `${turns} from the conversation.`,
    files.length === 0 ? "No file would change." : "These files would change:",
    ...files.slice(0, mostShown).map((file) => fileText(file, ui.cwd)),
    ...(files.length > mostShown ? [`… and ${files.length - mostShown} more`] : []),
    ...conflicts
      .slice(0, mostShown)
      .map(({ path, reason }) => `! ${shortPath(path, ui.cwd)} stays: ${reason}`),
    ...limits.slice(0, 2),
  ];
  const choices = [
    { value: "chat" as const, label: "Rewind the conversation only" },
    ...(files.length === 0
      ? []
      : [
          { value: "both" as const, label: "Rewind the conversation and the files" },
          { value: "files" as const, label: "Rewind the files only" },
        ]),
  ];
  return ui.pick({ title: "What should be rewound?", text: lines.join("\n"), choices });
}

const mostShown = 8;

function fileText(
  { path, kind, additions, deletions, isBinary }: ThreadRewindResponse["files"][number],
  cwd: string,
): string {
  const sign = { add: "A", update: "M", delete: "D" }[kind];
  return `${sign} ${shortPath(path, cwd)} ${isBinary ? "(binary)" : `+${additions} -${deletions}`}`;
}

function doneText(what: "chat" | "files" | "both", { files }: ThreadRewindResponse): string {
  if (what === "chat") return "The conversation was rewound; files stay as they are";
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return what === "files" ? `${count} restored` : `The conversation was rewound, ${count} restored`;
}

function labelOf({ text }: TurnTreeNode): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 200) || "(no message)";
}

function filesOf({ changedFiles }: TurnTreeNode): { description?: string } {
  if (changedFiles === 0) return {};
  return { description: changedFiles === 1 ? "1 file changed" : `${changedFiles} files changed` };
}

/** Returns how often the way to each turn has branched. */
function depthsOf(turns: readonly TurnTreeNode[]): Map<string, number> {
  const children = new Map<string | null, string[]>();
  for (const { turnId, parentTurnId } of turns) {
    children.set(parentTurnId, [...(children.get(parentTurnId) ?? []), turnId]);
  }
  const depths = new Map<string, number>();
  for (const { turnId, parentTurnId } of turns) {
    const above = parentTurnId === null ? 0 : (depths.get(parentTurnId) ?? 0);
    const isLater = (children.get(parentTurnId)?.indexOf(turnId) ?? 0) > 0;
    depths.set(turnId, above + Number(isLater));
  }
  return depths;
}
