import { defineCommand } from "../command.js";
import { sessionOptions } from "../options/session-options.js";

const threadOptions = {
  last: { type: "boolean", help: "The one that was used last, without asking" },
  all: { type: "boolean", help: "Of all folders, not of this one alone" },
  ...sessionOptions,
} as const;

/** Goes on with an earlier conversation in the terminal. */
export const resume = defineThreadCommand(
  "resume",
  "Go on with an earlier conversation: choose one, or --last, or its id",
);

/** Goes on in a copy of an earlier conversation. */
export const fork = defineThreadCommand(
  "fork",
  "Go on in a copy of an earlier conversation, which stays as it is",
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
      const first = { kind, ...which, isEverywhere: values.all };
      return runTuiCommand({ first, prompt }, values, io);
    },
  });
}
