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
