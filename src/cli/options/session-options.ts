import type { Options, Values } from "../command.js";
import { configOptions } from "./config-options.js";

/** The options that every command has which starts or goes on with a conversation. */
export const sessionOptions = {
  model: { type: "string", short: "m", value: "MODEL", help: "Use this model" },
  cd: { type: "string", short: "C", value: "DIR", help: "Use this directory as the working root" },
  image: {
    type: "string",
    short: "i",
    multiple: true,
    value: "FILE",
    help: "Attach images to the first prompt, separated by commas",
  },
  sandbox: {
    type: "string",
    short: "s",
    value: "MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    group: "freedom",
    help: "Sandbox for commands of the model",
  },
  "ask-for-approval": {
    type: "string",
    short: "a",
    value: "POLICY",
    choices: ["untrusted", "on-failure", "on-request", "never"],
    group: "freedom",
    help: "Ask for approval of commands",
  },
  "full-auto": {
    type: "boolean",
    group: "freedom",
    help: "Same as -s workspace-write -a on-request",
  },
  "add-dir": {
    type: "string",
    multiple: true,
    value: "DIR",
    group: "freedom",
    help: "Allow writing to this directory too",
  },
  search: { type: "boolean", group: "freedom", help: "Allow the model to search the web" },
  "dangerously-bypass-approvals-and-sandbox": {
    type: "boolean",
    group: "freedom",
    help: "Skip approvals and sandbox (also --yolo). DANGEROUS: for isolated machines only",
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
    help: "Use a profile: [profiles.NAME] or NAME.config.toml",
  },
  oss: { type: "boolean", group: "settings", help: "Use a local model provider" },
  "local-provider": {
    type: "string",
    value: "NAME",
    choices: ["ollama", "lmstudio"],
    group: "settings",
    help: "Provider for --oss",
  },
  remote: {
    type: "string",
    value: "URL",
    group: "settings",
    help: "Connect to an app-server: unix://PATH, ws://HOST:PORT …",
  },
  "remote-auth-token-env": {
    type: "string",
    value: "VARIABLE",
    group: "settings",
    help: "Variable with the token for --remote",
  },
  ...configOptions,
  "strict-config": {
    type: "boolean",
    group: "settings",
    help: "Fail if config.toml has keys that are not recognized",
  },
  "no-alt-screen": { type: "boolean", hidden: true, help: "It is never used" },
  "no-daemon": { type: "boolean", hidden: true, help: "There is none" },
  "dangerously-bypass-hook-trust": { type: "boolean", hidden: true, help: "There are no hooks" },
} as const satisfies Options;

/** The values of these options. */
export type SessionValues = Values<typeof sessionOptions>;
