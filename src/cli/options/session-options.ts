import type { Options, Values } from "../command.js";
import { configOptions } from "./config-options.js";

/** The options that every command has which starts or goes on with a conversation. */
export const sessionOptions = {
  model: { type: "string", short: "m", value: "MODEL", help: "The model to ask" },
  profile: {
    type: "string",
    short: "p",
    value: "NAME",
    help: "Use this profile of config.toml, or NAME.config.toml beside it",
  },
  sandbox: {
    type: "string",
    short: "s",
    value: "MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    help: "What commands may do",
  },
  "ask-for-approval": {
    type: "string",
    short: "a",
    value: "POLICY",
    choices: ["untrusted", "on-failure", "on-request", "never"],
    help: "When you are asked",
  },
  "full-auto": {
    type: "boolean",
    help: "The same as -s workspace-write -a on-request",
  },
  "dangerously-bypass-approvals-and-sandbox": {
    type: "boolean",
    help: "Ask nothing and confine nothing: only where something else confines all of it",
  },
  yolo: {
    type: "boolean",
    aliasOf: "dangerously-bypass-approvals-and-sandbox",
    help: "A shorter name",
  },
  oss: { type: "boolean", help: "Use a model that runs on this machine" },
  "local-provider": {
    type: "string",
    value: "NAME",
    choices: ["ollama", "lmstudio"],
    help: "Which one --oss uses",
  },
  image: {
    type: "string",
    short: "i",
    multiple: true,
    value: "FILE",
    help: "Send a picture with the prompt; commas part several",
  },
  cd: { type: "string", short: "C", value: "DIR", help: "Work in this folder" },
  "add-dir": {
    type: "string",
    multiple: true,
    value: "DIR",
    help: "Let commands write in this folder too",
  },
  search: { type: "boolean", help: "Let the model search the web" },
  remote: {
    type: "string",
    value: "URL",
    help: "Work with a server that runs elsewhere: unix://PATH, ws://HOST:PORT …",
  },
  "remote-auth-token-env": {
    type: "string",
    value: "VARIABLE",
    help: "The environment variable with the token for --remote",
  },
  ...configOptions,
  "no-alt-screen": { type: "boolean", hidden: true, help: "It is never used" },
  "no-daemon": { type: "boolean", hidden: true, help: "There is none" },
  "dangerously-bypass-hook-trust": { type: "boolean", hidden: true, help: "There are no hooks" },
} as const satisfies Options;

/** The values of these options. */
export type SessionValues = Values<typeof sessionOptions>;
