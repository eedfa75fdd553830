import { eraNames } from "../../compat/index.js";
import { translatableEras } from "../../inspect/index.js";
import { defineCommand } from "../command.js";
import { listenOptions } from "../options/listen-options.js";

/** Sits between a client and a server of the app-server protocol. */
export const inspect = defineCommand({
  name: "inspect",
  summary: "Check, show and record what a client and a server send",
  operands: "-- CMD… | URL",
  verbatimAfter: 0,
  options: {
    era: {
      type: "string",
      value: "VERSION",
      choices: eraNames,
      help: "Version whose schemas apply; default: the one that the server states",
    },
    format: {
      type: "string",
      value: "FORMAT",
      choices: ["text", "jsonl"],
      default: "text",
      help: "Format of the messages that are shown: text, jsonl",
    },
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      help: "Write the messages to this file instead of standard error",
    },
    "only-invalid": { type: "boolean", help: "Show only messages that violate the protocol" },
    strict: { type: "boolean", help: "Exit with 1 if a message violated the protocol" },
    record: {
      type: "string",
      value: "FILE",
      help: "Record the conversation as a trace for the conformance kit",
    },
    "no-redact": { type: "boolean", help: "Show and record keys and tokens as they are" },
    "translate-to": {
      type: "string",
      value: "VERSION",
      choices: translatableEras,
      help: "Translate messages of a newer server for a client of this version",
    },
    page: {
      type: "string",
      value: "HOST:PORT",
      optionalValue: /^(\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i,
      help: "Show the messages in a browser too; default: 127.0.0.1:0",
    },
    "remote-auth-token-env": {
      type: "string",
      value: "VARIABLE",
      help: "Variable with the token of the server at URL",
    },
    ...listenOptions,
  },
  details: [
    "Starts the command, such as `codex app-server`, or connects to a server at ws://HOST:PORT or",
    "another address. A client uses it in place of the server: messages, exit code, signals and",
    "standard error are passed on unchanged. With --listen it accepts clients at an address, and each",
    "gets its own server process or connection. docs/inspect.md describes the output.",
  ].join("\n"),
  async run({ values, positionals }, io) {
    const { runInspect } = await import("../inspect/run.js");
    return runInspect(values, positionals, io);
  },
});
