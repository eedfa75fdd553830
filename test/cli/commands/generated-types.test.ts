import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import {
  explainMissingTraces,
  hasTraces,
  readTraces,
  type TraceLine,
} from "../../protocol/shared.js";
import { createUser, type TestUser } from "../support/run-quire.js";

const tsc = resolve(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");

beforeAll(explainMissingTraces);

interface Message {
  jsonrpc?: string;
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** The recorded messages of a surface, each with the type that it must fit. */
const surfaces: [folder: string, era: string, typed: (lines: TraceLine[]) => Typed[]][] = [
  ["proto", "0.42", typedQueues],
  ["mcp", "0.42", typedRpc],
  ["app-server-v1", "0.45", typedRpc],
  ["app-server", "0.104", typedRpc],
  ["app-server-166", "0.166", typedRpc],
];

test.runIf(hasTraces).each(surfaces)(
  "[documents D13] the types fit what was recorded in %s, in the era %s",
  async (folder, era, typed) => {
    using user = createUser();
    const args = ["app-server", "generate-ts", "--experimental", "--out", "types"];
    const ran = await user.run(args, { env: { QUIRE_ERA: era } });
    expect(ran.code).toBe(0);

    const messages = typed(readTraces(folder));
    expect(messages.length).toBeGreaterThan(100);

    expect(compile(user, messages)).toBe("");
  },
);

interface Typed {
  type: string;
  file: string;
  value: unknown;
}

function typedQueues(lines: TraceLine[]): Typed[] {
  return lines.flatMap(({ file, dir, msg }): Typed[] => {
    if (dir === "out") return [{ type: "Event", file, value: msg }];
    return dir === "in" && isWhole(msg) ? [{ type: "Submission", file, value: msg }] : [];
  });
}

/** Lines that were recorded with a deliberate mistake. */
function isWhole(msg: unknown): boolean {
  const { id, op } = msg as { id?: string; op?: { type?: string; items?: unknown } };
  if (id === undefined) return false;
  if (op?.type === "user_turn" || op?.type === "user_input") return Array.isArray(op.items);
  return op?.type !== undefined && !wrongOps.has(op.type);
}

const wrongOps: ReadonlySet<string> = new Set(["make_coffee"]);

/** Requests with a result, their results, and the notifications of the server. */
function typedRpc(lines: TraceLine[]): Typed[] {
  const asked = new Map<string, Message>();
  return lines.flatMap(({ file, dir, msg }): Typed[] => {
    const { id, method, params, result } = msg as Message;
    const key = `${file} ${JSON.stringify(id)}`;
    if (dir === "in" && method !== undefined) asked.set(key, msg as Message);
    if (dir !== "out") return [];
    if (method !== undefined && id !== undefined) {
      return [{ type: "ServerRequest", file, value: { id, method, params } }];
    }
    if (method !== undefined) {
      return [{ type: "ServerNotification", file, value: { method, params } }];
    }
    const request = asked.get(key);
    if (request?.method === undefined || result === undefined) return [];
    if (isOfMcp(request.method, result)) return [];
    const { jsonrpc: _, ...value } = request;
    return [
      { type: "ClientRequest", file, value },
      { type: `ClientRequestResults[${JSON.stringify(request.method)}]`, file, value: result },
    ];
  });
}

/** Messages that MCP defines, which our schemas do not describe. */
function isOfMcp(method: string, result: unknown): boolean {
  const isHandshake = method === "initialize" && "protocolVersion" in (result as object);
  return isHandshake || method === "ping" || method.startsWith("tools/");
}

/** Compiles a program that assigns each value to its type, and returns the errors. */
function compile(user: TestUser, messages: readonly Typed[]): string {
  const lines = messages.map(
    ({ type, file, value }) => `fits<types.${type}>()(${JSON.stringify(value)}); // ${file}`,
  );
  const text = [
    'import type * as types from "./types/index.js";',
    "// Members that a type does not know are no mistake: the protocol grows.",
    "declare function fits<Type>(): <Value extends Type>(value: Value) => void;",
    ...lines,
    "// @ts-expect-error A type that takes everything would prove nothing.",
    'fits<types.Event>()({ id: "1", msg: { type: "agent_message", message: 5 } });',
    "// @ts-expect-error The same goes for messages of the server.",
    'fits<types.ServerNotification>()({ method: "turn/started", params: {} });',
  ];
  const folder = user.project;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "client.ts"), `${text.join("\n")}\n`);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return typeErrors(folder);
}

function typeErrors(folder: string): string {
  const flags = ["--strict", "--noEmit", "--module", "nodenext", "--types", "", "client.ts"];
  try {
    return execFileSync(process.execPath, [tsc, ...flags], { cwd: folder, encoding: "utf8" });
  } catch (error) {
    const said = (error as { stdout: string }).stdout;
    const source = readFileSync(join(folder, "client.ts"), "utf8").split("\n");
    return said.replaceAll(/^client\.ts\((\d+),\d+\)/gm, (place, line) => {
      return `${place} ${source[Number(line) - 1]?.slice(0, 200)}`;
    });
  }
}
