import type { Options, Values } from "../command.js";
import { sessionOptions } from "../options/session-options.js";

/** The options of `exec` and of its verbs. */
export const execOptions = {
  ...sessionOptions,
  json: { type: "boolean", help: "Print events as JSON Lines" },
  "experimental-json": { type: "boolean", aliasOf: "json", help: "The older name" },
  "output-last-message": {
    type: "string",
    short: "o",
    value: "FILE",
    help: "Write the last message to this file",
  },
  "output-schema": {
    type: "string",
    value: "FILE",
    help: "JSON Schema the last message must match",
  },
  ephemeral: { type: "boolean", help: "Run without recording the session" },
  color: {
    type: "string",
    value: "WHEN",
    choices: ["always", "never", "auto"],
    default: "auto",
    help: "Use colors",
  },
  "full-auto": { type: "boolean", group: "freedom", help: "Same as -s workspace-write" },
  "skip-git-repo-check": {
    type: "boolean",
    group: "freedom",
    help: "Allow running outside a Git repository",
  },
  "ignore-user-config": {
    type: "boolean",
    group: "settings",
    help: "Do not read $CODEX_HOME/config.toml",
  },
  "ignore-rules": {
    type: "boolean",
    group: "settings",
    help: "Do not read rules/*.rules",
  },
  "thread-source": {
    type: "string",
    value: "SOURCE",
    group: "settings",
    help: "Source recorded for a new thread",
  },
  "cyber-access-program": { type: "string", hidden: true, help: "Not supported" },
  "max-turns": {
    type: "string",
    value: "N",
    group: "limits",
    help: "Stop after N requests to the model",
  },
  "max-tokens": {
    type: "string",
    value: "N",
    group: "limits",
    help: "Stop after N tokens",
  },
  "max-seconds": { type: "string", value: "N", group: "limits", help: "Stop after N seconds" },
} as const satisfies Options;

/** The values of these options. */
export type ExecValues = Values<typeof execOptions>;
