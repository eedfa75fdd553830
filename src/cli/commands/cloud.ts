import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { refuseForeignCommand } from "../foreign-commands.js";

/** The part of `codex cloud` that is here: `cloud apply` is `apply`. */
export const cloud = defineCommand({
  name: "cloud",
  summary: "Apply the diff of a task in Codex Cloud to the repository here",
  options: {},
  verbs: [
    {
      name: "apply",
      summary: "Apply the diff of a task",
      load: async () => ({ ...(await import("./apply.js")).apply, name: "cloud apply" }),
    },
  ],
  async run() {
    refuseForeignCommand(["cloud"]);
    return exitCodes.usage;
  },
});
