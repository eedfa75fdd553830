import type { Options } from "../command.js";

/** Options of every command. */
export const globalOptions = {
  as: {
    type: "string",
    value: "NAME",
    group: "settings",
    help: "Act as `codex` or `codex@VERSION`: sets the name in texts and the version on the wire",
  },
  era: {
    type: "string",
    value: "VERSION",
    group: "settings",
    help: "Behave like this version of Codex: 0.39, 0.42, 0.45, 0.104 or 0.166",
  },
  help: { type: "boolean", short: "h", help: "Print help" },
  version: { type: "boolean", short: "V", help: "Print version" },
} as const satisfies Options;
