import { configFlags } from "../../config/index.js";
import type { Options, Values } from "../command.js";
import { configOptions } from "./config-options.js";

/** Option of commands that can work in a new worktree. */
export const worktreeOption = {
  worktree: {
    type: "string",
    value: "[NAME]",
    optionalValue: /^\w[\w.-]*$/,
    help: "Work in a new git worktree with a branch of its own",
  },
} as const satisfies Options;

/** Options of commands that start or resume a session. */
export const sessionOptions = {
  model: { type: "string", short: "m", value: "MODEL", help: "Use this model" },
  cd: { type: "string", short: "C", value: "DIR", help: "Use this directory as the working root" },
  image: {
    type: "string",
    short: "i",
    multiple: true,
    value: "FILE",
    help: "Attach images to the prompt (comma-separated)",
  },
  sandbox: {
    type: "string",
    short: "s",
    value: "MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    group: "permissions",
    help: "Sandbox mode for commands",
  },
  "ask-for-approval": {
    type: "string",
    short: "a",
    value: "POLICY",
    choices: ["untrusted", "on-failure", "on-request", "never"],
    group: "permissions",
    help: "Approval policy",
  },
  "full-auto": {
    type: "boolean",
    group: "permissions",
    help: "Same as -s workspace-write -a on-request",
  },
  "add-dir": {
    type: "string",
    multiple: true,
    value: "DIR",
    group: "permissions",
    help: "Also allow writing to this directory",
  },
  search: { type: "boolean", group: "permissions", help: "Allow the model to search the web" },
  "dangerously-bypass-approvals-and-sandbox": {
    type: "boolean",
    group: "permissions",
    help: "Skip approvals and sandbox (also --yolo). DANGEROUS: use only inside an external sandbox",
  },
  yolo: {
    type: "boolean",
    aliasOf: "dangerously-bypass-approvals-and-sandbox",
    help: "Short for --dangerously-bypass-approvals-and-sandbox",
  },
  "dangerously-bypass-hook-trust": {
    type: "boolean",
    group: "permissions",
    help: "Run hooks that are not trusted. DANGEROUS: use only if you have reviewed them",
  },
  ...configFlags,
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
  fleet: {
    type: "string",
    value: "URL",
    group: "settings",
    help: "Run on the workers of a fleet: nats://HOST:PORT",
  },
  pool: {
    type: "string",
    value: "NAME",
    group: "settings",
    help: "Pool of workers for --fleet; default: default",
  },
  "remote-auth-token-env": {
    type: "string",
    value: "VARIABLE",
    group: "settings",
    help: "Variable with the token for --remote",
  },
  ...configOptions,
  "no-alt-screen": { type: "boolean", hidden: true, help: "Ignored; never used" },
  "no-daemon": { type: "boolean", hidden: true, help: "Ignored; there is no daemon" },
} as const satisfies Options;

/** Values of {@link sessionOptions}. */
export type SessionValues = Values<typeof sessionOptions>;
