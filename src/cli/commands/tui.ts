import { defineCommand } from "../command.js";
import { sessionOptions } from "../options/session-options.js";

/** The program without a verb. */
export const tui = defineCommand({
  name: "",
  summary: "Work with the model in the terminal",
  operands: "[PROMPT]",
  mostOperands: 1,
  options: sessionOptions,
  async run({ values, positionals: [prompt] }, io) {
    const { runTuiCommand } = await import("../tui/run.js");
    return runTuiCommand({ first: { kind: "new" }, prompt }, values, io);
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
} as const;

/** Goes on with an earlier conversation in the terminal. */
export const resume = defineThreadCommand(
  "resume",
  "Resume a previous session (picker by default; --last, or its id or name)",
);

/** Goes on in a copy of an earlier conversation. */
export const fork = defineThreadCommand(
  "fork",
  "Fork a previous session (picker by default; --last, or its id or name)",
);

function defineThreadCommand(kind: "resume" | "fork", summary: string) {
  return defineCommand({
    name: kind,
    summary,
    operands: "[ID] [PROMPT]",
    mostOperands: 2,
    options: threadOptions,
    async run({ values, positionals }, io) {
      const { runTuiCommand } = await import("../tui/run.js");
      // With --last there is no id, so what is there is the message.
      const [id, prompt] = values.last ? [undefined, positionals[0]] : positionals;
      const which = id === undefined ? { isLast: values.last } : { id };
      const hasAllSources = values["include-non-interactive"];
      const first = { kind, ...which, isEverywhere: values.all, hasAllSources };
      return runTuiCommand({ first, prompt }, values, io);
    },
  });
}
