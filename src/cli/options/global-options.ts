import type { Options } from "../command.js";

/** The options that every command has. */
export const globalOptions = {
  as: {
    type: "string",
    value: "NAME",
    group: "settings",
    help: "Run as `codex` or `codex@VERSION`: that name in texts, that version on the wire",
  },
  era: {
    type: "string",
    value: "VERSION",
    group: "settings",
    help: "Speak and behave as this version of Codex did: 0.39, 0.42, 0.45, 0.104 or 0.166",
  },
  help: { type: "boolean", short: "h", help: "Print this help" },
  version: { type: "boolean", short: "V", help: "Print the version" },
} as const satisfies Options;
