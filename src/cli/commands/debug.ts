import { defineCommand } from "../command.js";
import { UsageError } from "../exit-codes.js";

const olderSandbox = "Run a command in the sandbox (older name of `quire sandbox`)";

/** Prints model data for debugging. Older versions ran sandboxed commands here. */
export const debug = defineCommand({
  name: "debug",
  summary: "Print the model catalog or the first model request",
  options: {},
  verbs: [
    {
      name: "models",
      summary: "Print the model catalog as JSON",
      load: async () => (await import("./debug/models.js")).debugModels,
    },
    {
      name: "prompt-input",
      summary: "Print the input of the first model request as JSON",
      load: async () => (await import("./debug/prompt-input.js")).debugPromptInput,
    },
    ...["landlock", "seatbelt"].map((name) => ({
      name,
      summary: olderSandbox,
      hidden: true as const,
      load: async () => ({
        ...(await import("./sandbox.js")).sandbox,
        name: `debug ${name}`,
        summary: olderSandbox,
      }),
    })),
  ],
  async run() {
    throw new UsageError("Missing command: `quire debug models` or `quire debug prompt-input`");
  },
});
