import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { overviewText } from "../help.js";
import { sessionOptions } from "../options/session-options.js";

/** The program without a verb. */
export const tui = defineCommand({
  name: "",
  summary: "Work with the model in the terminal",
  operands: "[PROMPT]",
  mostOperands: 1,
  options: sessionOptions,
  async run(_input, io) {
    const { root } = await import("../table.js");
    io.stdout.write(overviewText(root));
    return exitCodes.usage;
  },
});
