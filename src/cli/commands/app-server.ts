import { defineCommand } from "../command.js";
import { requireEra } from "../identity.js";
import { configOptions } from "../options/config-options.js";
import { listenOptions } from "../options/listen-options.js";
import { serveSurface } from "../serve-surface.js";

/** Runs the JSON-RPC server for editors and other clients. */
export const appServer = defineCommand({
  name: "app-server",
  summary: "Run the JSON-RPC app-server",
  verbs: [
    {
      name: "generate-ts",
      summary: "Generate TypeScript types of the protocol",
      load: async () => (await import("./app-server-generate.js")).generateTypeScript,
    },
    {
      name: "generate-json-schema",
      summary: "Generate JSON Schema of the protocol",
      load: async () => (await import("./app-server-generate.js")).generateJsonSchema,
    },
  ],
  options: {
    ...listenOptions,
    ...configOptions,
    "legacy-events": {
      type: "boolean",
      help: "Also send every client the engine events as codex/event/*",
    },
    "analytics-default-enabled": {
      type: "boolean",
      hidden: true,
      help: "Ignored; no analytics are sent",
    },
  },
  details: [
    "Each message is a JSON object; the first is `initialize` with `clientInfo`. Over stdio the",
    "server exits at the end of input, otherwise on a signal. Clients that do not connect over the",
    "loopback interface must authenticate.",
  ].join("\n"),
  run({ values }, io) {
    const era = requireEra(io.env);
    const load = async () => (await import("../../server/app-server.js")).serveAppServer;
    if (!values["legacy-events"]) return serveSurface(values, io, load, era);
    return serveSurface(values, io, load, { ...era, v2: { ...era.v2, legacyEvents: true } });
  },
});
