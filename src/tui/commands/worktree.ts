import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";
import { git } from "./git.js";

/** `/worktree` */
export const worktree: SlashCommand = {
  name: "worktree",
  summary: "Start or continue a session in a new git worktree",
  operands: "[NAME]",
  async run(context, operands) {
    const { host, session, ui } = context;
    const { settings, hasTurns } = session.conversation.status;
    if (host.createWorktree === undefined) {
      const remedy = "Start it there with `quire --worktree`";
      return printError(context, `Worktrees are created on the machine of the server. ${remedy}`);
    }
    if ((await git(context, "rev-parse", "--verify", "HEAD")) === undefined) {
      return printError(
        context,
        "A worktree needs a git repository with a commit; there is none here",
      );
    }
    const how = hasTurns ? await chooseHow(context) : "start";
    if (how === undefined) return;
    const cwd = settings?.cwd ?? ui.cwd;
    const created = await host.createWorktree(cwd, operands).catch((error: Error) => error);
    if (created instanceof Error) return printError(context, "No worktree was created", created);
    if (how === "start") await session.start({ cwd: created.cwd });
    else {
      await session.fork(session.threadId);
      // A change of the folder is announced to the model with the next turn.
      session.override({ cwd: created.cwd });
      ui.cwd = created.cwd;
    }
    printNotice(
      context,
      `Working in ${created.cwd} on branch ${created.branch}`,
      "It is removed when you quit, unless it has changes or commits; `quire worktrees` lists them",
    );
  },
};

function chooseHow({ ui }: CommandContext): Promise<"start" | "fork" | undefined> {
  return ui.pick<"start" | "fork">({
    title: "What should work in the new worktree?",
    text: "It starts at the last commit: changes that are not committed stay here.",
    choices: [
      { value: "fork", label: "This session", description: "continue a copy of it there" },
      { value: "start", label: "A new session", description: "with an empty context" },
    ],
  });
}
