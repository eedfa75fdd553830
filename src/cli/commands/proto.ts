import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { requireEra } from "../identity.js";
import { configOptions, requireKnownKeys, toOverrides } from "../options/config-options.js";
import { listenOptions } from "../options/listen-options.js";
import { explained, isStdio, toListening } from "../options/listening.js";
import { requireEnforceable } from "../user-config.js";

/** Serves the queues of the engine as JSON Lines. */
export const proto = defineCommand({
  name: "proto",
  summary: "Speak the submission and event queues over stdin and stdout",
  options: {
    "no-session": {
      type: "boolean",
      help: "Do not start a session; wait for configure_session",
    },
    events: {
      type: "string",
      value: "SET",
      choices: ["standard", "all"],
      default: "standard",
      help: "Events to write; `all` adds content deltas and items",
    },
    ...listenOptions,
    ...configOptions,
  },
  details: [
    "Each input line is a submission:",
    '  {"id":"1","op":{"type":"user_input","items":[{"type":"text","text":"hello"}]}}',
    "Each output line is an event with the id of its submission. The program exits after `shutdown`,",
    "or at the end of input when the last task is done (at once while a command runs). With a",
    "--listen address other than stdio:// each client gets its own engine, and the program exits",
    "on a signal.",
  ].join("\n"),
  async run({ values }, { stdin, stdout, stderr, env, cwd, signal }) {
    const era = requireEra(env);
    const [{ createLocalParts }, { serveQueues }, { stdioChannel }] = await Promise.all([
      import("../../engine/local/parts.js"),
      import("../../server/sqeq/serve.js"),
      import("../../transport/byte-channel.js"),
    ]);
    const flags = await toOverrides(values);
    if (values["strict-config"]) await requireKnownKeys({ env, cwd, flags });
    await requireEnforceable({ env, cwd, flags });
    const queues = {
      startSession: !values["no-session"],
      events: values.events === "all" ? "all" : "standard",
      signal,
    } as const;
    const { url, access, secretFiles } = await toListening(values, { env, cwd });
    const local = { env, cwd, era, flags, secretFiles };
    if (!isStdio(values)) {
      const { listenQueues } = await import("../../server/sqeq/serve.js");
      const { createLocalTelemetry } = await import("../../engine/local/machine.js");
      const telemetry = createLocalTelemetry(env, era);
      const createParts = () => createLocalParts({ ...local, telemetry });
      const options = { ...queues, url, access, createParts, telemetry, stderr };
      await explained(() => listenQueues(options));
      return exitCodes.ok;
    }
    const parts = createLocalParts(local);
    const endOfInput = "nothing more to ask";
    await serveQueues(stdioChannel(stdin, stdout), { ...queues, parts, endOfInput });
    await parts.close();
    return exitCodes.ok;
  },
});
