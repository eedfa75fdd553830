import type { Options, Values } from "../command.js";
import { sessionOptions } from "../options/session-options.js";

/** The options of `exec` and of its verbs. */
export const execOptions = {
  ...sessionOptions,
  json: { type: "boolean", help: "Write what happens as JSON, an object a line" },
  "experimental-json": { type: "boolean", aliasOf: "json", help: "The older name" },
  "output-last-message": {
    type: "string",
    short: "o",
    value: "FILE",
    help: "Write the last message to this file too",
  },
  "output-schema": {
    type: "string",
    value: "FILE",
    help: "A JSON Schema that the last message is to fit",
  },
  ephemeral: { type: "boolean", help: "Keep nothing of the conversation" },
  color: {
    type: "string",
    value: "WHEN",
    choices: ["always", "never", "auto"],
    default: "auto",
    help: "Colour the progress",
  },
  "full-auto": { type: "boolean", group: "freedom", help: "The same as -s workspace-write" },
  "skip-git-repo-check": {
    type: "boolean",
    group: "freedom",
    help: "Work outside of a Git repository too",
  },
  "max-turns": {
    type: "string",
    value: "N",
    group: "limits",
    help: "Stop when the model was asked N times",
  },
  "max-tokens": {
    type: "string",
    value: "N",
    group: "limits",
    help: "Stop when more than N tokens are used",
  },
  "max-seconds": { type: "string", value: "N", group: "limits", help: "Stop after N seconds" },
} as const satisfies Options;

/** The values of these options. */
export type ExecValues = Values<typeof execOptions>;
