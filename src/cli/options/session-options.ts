import type { Options, Values } from "../command.js";
import { configOptions } from "./config-options.js";

/** The options that every command has which starts or goes on with a conversation. */
export const sessionOptions = {
  model: { type: "string", short: "m", value: "MODEL", help: "The model to ask" },
  cd: { type: "string", short: "C", value: "DIR", help: "Work in this folder" },
  image: {
    type: "string",
    short: "i",
    multiple: true,
    value: "FILE",
    help: "Send a picture too; commas part several",
  },
  sandbox: {
    type: "string",
    short: "s",
    value: "MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    group: "freedom",
    help: "What commands may do",
  },
  "ask-for-approval": {
    type: "string",
    short: "a",
    value: "POLICY",
    choices: ["untrusted", "on-failure", "on-request", "never"],
    group: "freedom",
    help: "When you are asked",
  },
  "full-auto": {
    type: "boolean",
    group: "freedom",
    help: "The same as -s workspace-write -a on-request",
  },
  "add-dir": {
    type: "string",
    multiple: true,
    value: "DIR",
    group: "freedom",
    help: "Let commands write in this folder too",
  },
  search: { type: "boolean", group: "freedom", help: "Let the model search the web" },
  "dangerously-bypass-approvals-and-sandbox": {
    type: "boolean",
    group: "freedom",
    help: "Ask nothing and confine nothing: only where something else confines all of it",
  },
  yolo: {
    type: "boolean",
    aliasOf: "dangerously-bypass-approvals-and-sandbox",
    help: "A shorter name",
  },
  profile: {
    type: "string",
    short: "p",
    value: "NAME",
    group: "settings",
    help: "Use this profile of config.toml, or NAME.config.toml beside it",
  },
  oss: { type: "boolean", group: "settings", help: "Use a model that runs on this machine" },
  "local-provider": {
    type: "string",
    value: "NAME",
    choices: ["ollama", "lmstudio"],
    group: "settings",
    help: "Which one --oss uses",
  },
  remote: {
    type: "string",
    value: "URL",
    group: "settings",
    help: "Work with a server that runs elsewhere: unix://PATH, ws://HOST:PORT …",
  },
  "remote-auth-token-env": {
    type: "string",
    value: "VARIABLE",
    group: "settings",
    help: "The variable with the token for --remote",
  },
  ...configOptions,
  "no-alt-screen": { type: "boolean", hidden: true, help: "It is never used" },
  "no-daemon": { type: "boolean", hidden: true, help: "There is none" },
  "dangerously-bypass-hook-trust": { type: "boolean", hidden: true, help: "There are no hooks" },
} as const satisfies Options;

/** The values of these options. */
export type SessionValues = Values<typeof sessionOptions>;
