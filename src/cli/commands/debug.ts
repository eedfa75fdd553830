import { defineCommand } from "../command.js";
import { UsageError } from "../exit-codes.js";

/** Looks into what the model is offered and sent; older versions ran sandboxed commands here. */
export const debug = defineCommand({
  name: "debug",
  summary: "Print the model catalogue or the input of a first request as JSON",
  options: {},
  verbs: [
    {
      name: "models",
      summary: "Print the model catalogue as JSON",
      load: async () => (await import("./debug/models.js")).debugModels,
    },
    {
      name: "prompt-input",
      summary: "Print the input of a first request to the model as JSON",
      load: async () => (await import("./debug/prompt-input.js")).debugPromptInput,
    },
    ...["landlock", "seatbelt"].map((name) => ({
      name,
      summary: "Run one command confined: the older spelling of `quire sandbox`",
      hidden: true as const,
      load: async () => ({ ...(await import("./sandbox.js")).sandbox, name: `debug ${name}` }),
    })),
  ],
  async run() {
    throw new UsageError("Name what to print: `quire debug models` or `quire debug prompt-input`");
  },
});
