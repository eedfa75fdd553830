import { defineCommand } from "../command.js";
import { inWorktree } from "../options/in-worktree.js";
import { sessionOptions, worktreeOption } from "../options/session-options.js";

/** The program without a command. */
export const tui = defineCommand({
  name: "",
  summary: "Run the terminal UI",
  operands: "[PROMPT]",
  mostOperands: 1,
  options: { ...sessionOptions, ...worktreeOption },
  async run({ values, positionals: [prompt] }, io) {
    const { runTuiCommand } = await import("../tui/run.js");
    return inWorktree(values, io, (given) =>
      runTuiCommand({ first: { kind: "new" }, prompt }, given, io),
    );
  },
});

const threadOptions = {
  last: { type: "boolean", help: "Use the most recent session" },
  all: { type: "boolean", help: "Include sessions of all directories" },
  "include-non-interactive": {
    type: "boolean",
    help: "Include sessions of `exec` and of servers",
  },
  ...sessionOptions,
  ...worktreeOption,
} as const;

/** Resumes a previous session in the terminal UI. */
export const resume = defineThreadCommand("resume", "Resume a previous session");

/** Continues a copy of a previous session in the terminal UI. */
export const fork = defineThreadCommand("fork", "Fork a previous session");

function defineThreadCommand(kind: "resume" | "fork", summary: string) {
  return defineCommand({
    name: kind,
    summary,
    operands: "[ID] [PROMPT]",
    mostOperands: 2,
    options: threadOptions,
    details: "ID is an id or a name. Without it and without --last, a picker opens.",
    async run({ values, positionals }, io) {
      const { runTuiCommand } = await import("../tui/run.js");
      // With --last there is no id, so the first operand is the prompt.
      const [id, prompt] = values.last ? [undefined, positionals[0]] : positionals;
      const which = id === undefined ? { isLast: values.last } : { id };
      const hasAllSources = values["include-non-interactive"];
      const first = { kind, ...which, isEverywhere: values.all, hasAllSources };
      return inWorktree(values, io, (given) => runTuiCommand({ first, prompt }, given, io));
    },
  });
}
