import type { Options, Values } from "../command.js";
import { sessionOptions } from "../options/session-options.js";

/** The options of `exec` and of its verbs. */
export const execOptions = {
  ...sessionOptions,
  "full-auto": { type: "boolean", help: "The same as -s workspace-write" },
  json: { type: "boolean", help: "Write what happens to standard output, an object a line" },
  "experimental-json": { type: "boolean", aliasOf: "json", help: "The older name" },
  "output-schema": {
    type: "string",
    value: "FILE",
    help: "A JSON Schema that the last message is to fit",
  },
  "output-last-message": {
    type: "string",
    short: "o",
    value: "FILE",
    help: "Write the last message to this file too",
  },
  "skip-git-repo-check": { type: "boolean", help: "Work outside of a Git repository too" },
  ephemeral: { type: "boolean", help: "Keep nothing of the conversation" },
  color: {
    type: "string",
    value: "WHEN",
    choices: ["always", "never", "auto"],
    default: "auto",
    help: "Colour the progress",
  },
  "max-turns": {
    type: "string",
    value: "N",
    help: "Stop when the model was asked N times and wants to go on",
  },
  "max-seconds": { type: "string", value: "N", help: "Stop after so many seconds" },
  "max-tokens": {
    type: "string",
    value: "N",
    help: "Stop when more tokens than that are used and the model wants to go on",
  },
} as const satisfies Options;

/** The values of these options. */
export type ExecValues = Values<typeof execOptions>;
