import type { Options, Values } from "../command.js";
import { sessionOptions } from "../options/session-options.js";

/** Options of `exec` and its subcommands. */
export const execOptions = {
  ...sessionOptions,
  json: { type: "boolean", help: "Print events as JSON Lines" },
  "experimental-json": { type: "boolean", aliasOf: "json", help: "Older name of --json" },
  "output-last-message": {
    type: "string",
    short: "o",
    value: "FILE",
    help: "Write the final message to this file",
  },
  "output-schema": {
    type: "string",
    value: "FILE",
    help: "JSON Schema the final message must conform to",
  },
  replay: {
    type: "string",
    value: "FILE",
    help: "Replay the model's responses from a cassette",
  },
  lenient: {
    type: "boolean",
    help: "With --replay: answer requests that were not recorded with the next response",
  },
  ephemeral: { type: "boolean", help: "Do not record the session" },
  color: {
    type: "string",
    value: "WHEN",
    choices: ["always", "never", "auto"],
    default: "auto",
    help: "Use colors",
  },
  "full-auto": { type: "boolean", group: "permissions", help: "Same as -s workspace-write" },
  "skip-git-repo-check": {
    type: "boolean",
    group: "permissions",
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
    help: "Do not read rules files",
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
    help: "Stop after N model requests",
  },
  "max-tokens": {
    type: "string",
    value: "N",
    group: "limits",
    help: "Stop after N tokens",
  },
  "max-seconds": { type: "string", value: "N", group: "limits", help: "Stop after N seconds" },
} as const satisfies Options;

/** Option of the commands that can work on a goal. */
export const goalOption = {
  goal: { type: "string", value: "TEXT", help: "Work on this goal until it is reached" },
} as const satisfies Options;

/** Values of {@link execOptions}. */
export type ExecValues = Values<typeof execOptions>;
