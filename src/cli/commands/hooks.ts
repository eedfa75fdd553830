import { CodexError } from "../../protocol/error.js";
import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { columnLines } from "../print.js";
import { folderOptions, handlerText, readHooks, stateText } from "./hooks/read.js";

/** Lists, explains, tests and trusts hooks. */
export const hooks = defineCommand({
  name: "hooks",
  summary: "List, explain, test and trust hooks",
  verbs: [
    {
      name: "list",
      summary: "List hooks and the trust in each",
      load: async () => hooksList,
    },
    {
      name: "explain",
      summary: "Explain which hooks run for a tool",
      load: async () => (await import("./hooks/explain.js")).hooksExplain,
    },
    {
      name: "test",
      summary: "Run the hooks of an event with sample input",
      load: async () => (await import("./hooks/test.js")).hooksTest,
    },
    {
      name: "trust",
      summary: "Trust hooks as they are now",
      load: async () => (await import("./hooks/trust.js")).hooksTrust,
    },
  ],
  options: {},
  async run(_input, io) {
    return hooksList.run({ values: {} as never, positionals: [] }, io);
  },
});

const hooksList = defineCommand({
  name: "hooks list",
  summary: "List hooks and the trust in each",
  mostOperands: 0,
  options: {
    json: { type: "boolean", help: "Print the hooks as JSON, as `hooks/list` does" },
    ...folderOptions,
  },
  async run({ values }, io) {
    const { loaded, cwd } = await readHooks(values, io);
    if (values.json) {
      const { toHooksEntry } = await import("../../server/methods/hooks.js");
      io.stdout.write(`${JSON.stringify(toHooksEntry(cwd, loaded), null, 2)}\n`);
    } else {
      const rows = loaded.hooks.map((hook) => [
        hook.event,
        hook.matcher ?? "",
        stateText(hook),
        handlerText(hook),
        hook.key,
      ]);
      const head = ["EVENT", "MATCHER", "STATE", "RUNS", "KEY"];
      const lines = rows.length === 0 ? ["No hooks."] : columnLines([head, ...rows]);
      io.stdout.write(`${lines.join("\n")}\n`);
    }
    for (const warning of loaded.warnings) io.stderr.write(`${warning}\n`);
    if (loaded.problems.length === 0) return exitCodes.ok;
    const messages = loaded.problems.map(({ message }) => message);
    throw new CodexError("config", messages.join("\n"));
  },
});
