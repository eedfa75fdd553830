import { createHash } from "node:crypto";
import type { McpBehavior } from "../compat/index.js";
import type { McpTool } from "../protocol/types.js";

/** A tool by server and tool name. */
export interface NamedTool {
  server: string;
  tool: string;
}

/** Name of a tool for the model. */
export interface QualifiedName {
  /** Unique among all tools of all servers. */
  qualified: string;
  /** Name within the namespace, or else the qualified name. */
  name: string;
  namespace?: string;
}

/**
 * Assigns names for the model, in the given order.
 *
 * Models accept only letters, digits, `_` and `-`, up to a maximum length, so names are sanitized
 * and cut as needed. A hash of the full name keeps cut or equal names apart. A tool whose name is
 * still taken is omitted.
 */
export function qualifyNames<Tool extends NamedTool>(
  tools: Iterable<Tool>,
  form: ToolNameForm,
): Map<string, { name: QualifiedName; tool: Tool }> {
  const named = new Map<string, { name: QualifiedName; tool: Tool }>();
  const distinct = withoutRepetitions(tools);
  const names = form === "namespace" ? namesInNamespaces(distinct) : plainNames(distinct, form);
  for (const [index, tool] of distinct.entries()) {
    const name = names[index];
    if (name !== undefined && !named.has(name.qualified)) named.set(name.qualified, { name, tool });
  }
  return named;
}

function withoutRepetitions<Tool extends NamedTool>(tools: Iterable<Tool>): Tool[] {
  const byIdentity = new Map<string, Tool>();
  for (const tool of tools) {
    const identity = `${tool.server}\0${tool.tool}`;
    if (!byIdentity.has(identity)) byIdentity.set(identity, tool);
  }
  return [...byIdentity.values()];
}

const delimiter = "__";
const longestPlain = 64;

function plainNames(tools: readonly NamedTool[], form: "server" | "mcp"): QualifiedName[] {
  const entries = tools.map(({ server, tool }) => {
    const raw = [...(form === "mcp" ? ["mcp"] : []), server, tool].join(delimiter);
    return { wanted: cutPlain(sanitize(raw), raw), identity: `${server}\0${tool}` };
  });
  return disambiguate(entries).map((name, index) => {
    const qualified = cutPlain(name, entries[index]?.identity ?? name);
    return { qualified, name: qualified };
  });
}

function cutPlain(name: string, raw: string): string {
  if (name.length <= longestPlain) return name;
  const hash = sha1(raw);
  return name.slice(0, longestPlain - hash.length) + hash;
}

const longestInNamespace = 128;
const shortHash = 12;

function namesInNamespaces(tools: readonly NamedTool[]): QualifiedName[] {
  const namespaces = disambiguate(
    tools.map(({ server }) => ({
      wanted: `mcp${delimiter}${sanitize(server)}`,
      identity: `${server}\0${server}\0`,
    })),
  );
  const identities = tools.map(({ server, tool }) => `${server}\0${server}\0\0${tool}\0${tool}`);
  const names = disambiguate(
    tools.map(({ tool }, index) => ({
      scope: namespaces[index] ?? "",
      wanted: sanitize(tool),
      identity: identities[index] ?? "",
    })),
  );
  return names.map((name, index) => {
    const fitted = cutToRoom(namespaces[index] ?? "", name, identities[index] ?? "");
    return { qualified: `${fitted.namespace}${delimiter}${fitted.name}`, ...fitted };
  });
}

/**
 * Appends part of a hash to each name that several entries of a scope want.
 *
 * No entry keeps a shared name, so that the order does not matter.
 */
function disambiguate(
  entries: readonly { scope?: string; wanted: string; identity: string }[],
): string[] {
  const wanting = new Map<string, Set<string>>();
  for (const { scope = "", wanted, identity } of entries) {
    const key = `${scope}\0${wanted}`;
    wanting.set(key, (wanting.get(key) ?? new Set()).add(identity));
  }
  return entries.map(({ scope = "", wanted, identity }) =>
    (wanting.get(`${scope}\0${wanted}`)?.size ?? 0) > 1 ? wanted + hashSuffix(identity) : wanted,
  );
}

function cutToRoom(namespace: string, name: string, identity: string) {
  const room = longestInNamespace - delimiter.length;
  if (namespace.length + name.length <= room) return { namespace, name };
  const suffix = hashSuffix(identity);
  const forName = room - namespace.length - suffix.length;
  if (forName >= 0) return { namespace, name: name.slice(0, forName) + suffix };
  return { namespace: namespace.slice(0, room - suffix.length), name: suffix };
}

function hashSuffix(identity: string): string {
  return `_${sha1(identity).slice(0, shortHash)}`;
}

/** Replaces each character, not each UTF-16 code unit, with one `_`. */
function sanitize(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, "_") || "_";
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

/** Format of tool names for the model. */
export type ToolNameForm = "server" | "mcp" | "namespace";

/** A tool as the session knows it. */
export interface McpServerTool {
  name: QualifiedName;
  server: string;
  tool: McpTool;
}

/** Returns the tools of all servers with their names in the session, sorted by name. */
export function nameTools(
  servers: ReadonlyMap<string, { tools: readonly McpTool[] }>,
  form: McpBehavior["toolNames"],
): McpServerTool[] {
  const all = [...servers].flatMap(([server, { tools }]) =>
    tools.map((definition) => ({ server, tool: definition.name, definition })),
  );
  const named = [...qualifyNames(all, form).values()];
  return named
    .map(({ name, tool }) => ({ name, server: tool.server, tool: tool.definition }))
    .sort((a, b) => (a.name.qualified < b.name.qualified ? -1 : 1));
}
