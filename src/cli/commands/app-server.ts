import { defineCommand } from "../command.js";
import { requireEra } from "../identity.js";
import { configOptions } from "../options/config-options.js";
import { listenOptions } from "../options/listen-options.js";
import { serveSurface } from "../serve-surface.js";

/** The JSON-RPC server for editors and other programs. */
export const appServer = defineCommand({
  name: "app-server",
  summary: "Serve the JSON-RPC protocol to another program",
  verbs: [
    {
      name: "generate-ts",
      summary: "Write the protocol as TypeScript types",
      load: async () => (await import("./app-server-generate.js")).generateTypeScript,
    },
    {
      name: "generate-json-schema",
      summary: "Write the protocol as JSON Schema",
      load: async () => (await import("./app-server-generate.js")).generateJsonSchema,
    },
  ],
  options: {
    ...listenOptions,
    ...configOptions,
    "legacy-events": {
      type: "boolean",
      help: "Send every client the events of the queues too, as codex/event/*",
    },
    "analytics-default-enabled": { type: "boolean", hidden: true, help: "Nothing is ever sent" },
  },
  details: [
    "Each message is a JSON object; the first is `initialize` with `clientInfo`. On standard input",
    "and output the server ends with its input, elsewhere when it is interrupted. Off the loopback",
    "interface clients must show a token.",
  ].join("\n"),
  run({ values }, io) {
    const era = requireEra(io.env);
    const load = async () => (await import("../../server/app-server/serve.js")).serveAppServer;
    if (!values["legacy-events"]) return serveSurface(values, io, load, era);
    return serveSurface(values, io, load, { ...era, v2: { ...era.v2, legacyEvents: true } });
  },
});
