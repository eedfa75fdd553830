import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../../config/index.js";
import { type AccessExplainer, type ExplainedAccess, enforcedPolicy } from "../../sandbox/index.js";
import { type CommandIo, defineCommand, type Values } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { parseCommand } from "../parse.js";
import { visible } from "../print.js";
import { loadUserConfig } from "../user-config.js";
import { accessOptions } from "./access-options.js";
import { createUserSandbox } from "./user-sandbox.js";

const options = {
  ...accessOptions,
  sandbox: {
    type: "string",
    value: "MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    help: "Sandbox mode",
  },
  json: { type: "boolean", help: "Print the explanation as JSON" },
} as const;

const command = defineCommand({
  name: "policy explain",
  summary: "",
  mostOperands: 0,
  options,
  run: async () => exitCodes.ok,
});

/** Explains whether commands may read or write a file, or connect to a host; returns the exit code. */
export async function explainAccess(args: readonly string[], io: CommandIo): Promise<number> {
  const values = parseCommand(command, [...args]).values as Values<typeof options>;
  const question = questionOf(values);
  const cwd = resolve(io.cwd, values.cd ?? ".");
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`Expected --cd to be a directory (got ${cwd})`);
  }
  const config = await loadUserConfig(
    {
      config: [
        ...(values.config ?? []),
        ...overrides("sandbox_mode", values.sandbox),
        ...overrides("default_permissions", values.permissions),
      ],
      enable: undefined,
      disable: undefined,
      "strict-config": false,
    },
    { ...io, cwd },
  );
  const sandbox = createUserSandbox(config, io.env);
  try {
    const explainer = await sandbox.explain(enforcedPolicy(config), cwd);
    const explained = question.ask(explainer);
    const target = question.kind === "connect" ? question.target : resolve(cwd, question.target);
    const facts = { access: question.kind, target, ...explained, ...policyOf(config) };
    io.stdout.write(values.json ? `${JSON.stringify(facts, null, 2)}\n` : textOf(facts));
    return explained.allowed ? exitCodes.ok : exitCodes.failed;
  } finally {
    sandbox.close();
  }
}

function overrides(key: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${key}=${JSON.stringify(value)}`];
}

/** An access to explain. */
interface AccessQuestion {
  kind: "read" | "write" | "connect";
  target: string;
  ask(explainer: AccessExplainer): ExplainedAccess;
}

function questionOf({ read, write, connect }: Values<typeof options>): AccessQuestion {
  const given = Object.entries({ read, write, connect }).filter(([, value]) => value !== undefined);
  const [[kind, target = ""] = ["read"]] = given;
  if (given.length !== 1 || target === "") {
    throw new UsageError("Expected one of --read PATH, --write PATH, --connect HOST[:PORT]");
  }
  if (kind === "read") return { kind, target, ask: (explainer) => explainer.read(target) };
  if (kind === "write") return { kind, target, ask: (explainer) => explainer.write(target) };
  const { host, port } = parseTarget(target);
  return { kind: "connect", target, ask: (explainer) => explainer.connect(host, port) };
}

/** Parses `host`, `host:port`, `[address]:port` and a bare IPv6 address; the default port is 443. */
function parseTarget(target: string): { host: string; port: number } {
  const isAddress = target.split(":").length > 2 && !target.startsWith("[");
  const [, host = "", port = "443"] =
    (isAddress ? undefined : /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(target)) ?? [];
  const named = isAddress ? target : host;
  const number = Number(port);
  if (named === "" || !Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new UsageError(`Expected --connect to be HOST or HOST:PORT (got ${target})`);
  }
  return { host: named, port: number };
}

function policyOf({ permissions, sandbox_policy }: Config) {
  const { id, extends: parent } = permissions ?? {};
  return {
    ...(id === undefined ? {} : { profile: id }),
    ...(parent === undefined ? {} : { extends: parent }),
    sandboxMode: sandbox_policy.mode,
  };
}

type Facts = ExplainedAccess &
  ReturnType<typeof policyOf> & { access: AccessQuestion["kind"]; target: string };

function textOf(facts: Facts): string {
  const { access, target, allowed, reason, rule, profile, sandboxMode } = facts;
  const parent = facts.extends === undefined ? "" : ` (extends ${facts.extends})`;
  const policy =
    profile === undefined
      ? `sandbox mode ${sandboxMode}`
      : `permission profile ${profile}${parent}`;
  const lines = [
    `${names[access].padEnd(9)} ${target}`,
    `Policy    ${policy}`,
    `Rule      ${rule ?? "none"}`,
    `Reason    ${reason}`,
    "",
    `Outcome   ${allowed ? "allowed" : "denied"}`,
  ];
  return `${lines.map(visible).join("\n")}\n`;
}

const names = { read: "Read", write: "Write", connect: "Connect" };
