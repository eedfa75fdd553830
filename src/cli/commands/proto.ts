import { defineCommand } from "../command.js";
import { requireEra } from "../era.js";

/** The queues of the engine on standard input and output, a JSON object a line. */
export const proto = defineCommand({
  name: "proto",
  summary: "Speak the submission and event queues over standard input and output",
  options: {
    "no-session": {
      type: "boolean",
      help: "Start without a session; the client sends configure_session",
    },
    events: {
      type: "string",
      value: "SET",
      default: "standard",
      help: "Which events to write: standard, or all (content deltas and items too)",
    },
  },
  details: [
    "Each line in is a submission, such as",
    '  {"id":"1","op":{"type":"user_input","items":[{"type":"text","text":"hello"}]}}',
    "and each line out is an event that carries the id of its submission. The program ends",
    "after `shutdown`, or at the end of input when the last task is done.",
  ].join("\n"),
  async run({ values }, { stdin, stdout, env, cwd, signal }) {
    const era = requireEra(env);
    const [{ createLocalParts }, { serveQueues }, { stdioChannel }] = await Promise.all([
      import("../../engine/local/parts.js"),
      import("../../server/sqeq/serve.js"),
      import("../../transport/stdio.js"),
    ]);
    const parts = createLocalParts({ env, cwd, era });
    await serveQueues(stdioChannel(stdin, stdout), {
      parts,
      startSession: !values["no-session"],
      events: values.events === "all" ? "all" : "standard",
      era,
      signal,
    });
    await parts.close();
    return 0;
  },
});
