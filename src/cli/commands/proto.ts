import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { requireEra } from "../identity.js";
import { configOptions, toOverrides } from "../options/config-options.js";
import { listenOptions } from "../options/listen-options.js";
import { explained, isStdio, toListening } from "../options/listening.js";
import { requireEnforceable } from "../user-config.js";

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
      choices: ["standard", "all"],
      default: "standard",
      help: "Which events to write; all has content deltas and items too",
    },
    ...listenOptions,
    ...configOptions,
  },
  details: [
    "Each line in is a submission, such as",
    '  {"id":"1","op":{"type":"user_input","items":[{"type":"text","text":"hello"}]}}',
    "and each line out is an event that carries the id of its submission. The program ends after",
    "`shutdown`, or at the end of input: once the last task is done, or at once in the middle of a",
    "command. Elsewhere than on standard input and output each client has an engine of its own,",
    "and the program ends by a signal.",
  ].join("\n"),
  async run({ values }, { stdin, stdout, stderr, env, cwd, signal }) {
    const era = requireEra(env);
    const [{ createLocalParts }, { serveQueues }, { stdioChannel }] = await Promise.all([
      import("../../engine/local/parts.js"),
      import("../../server/sqeq/serve.js"),
      import("../../transport/byte-channel.js"),
    ]);
    const flags = await toOverrides(values);
    await requireEnforceable({ env, cwd, flags });
    const queues = {
      startSession: !values["no-session"],
      events: values.events === "all" ? "all" : "standard",
      signal,
    } as const;
    const { url, access, secretFiles } = await toListening(values, { env, cwd });
    const createParts = () => createLocalParts({ env, cwd, era, flags, secretFiles });
    if (!isStdio(values)) {
      const { listenQueues } = await import("../../server/sqeq/serve.js");
      await explained(() => listenQueues({ ...queues, url, access, createParts, stderr }));
      return exitCodes.ok;
    }
    const parts = createParts();
    const endOfInput = "nothing more to ask";
    await serveQueues(stdioChannel(stdin, stdout), { ...queues, parts, endOfInput });
    await parts.close();
    return exitCodes.ok;
  },
});
