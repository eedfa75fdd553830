import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

/** What each folder of `src` may import besides `lib`; arrows point down only. */
const mayImport: Record<string, readonly string[]> = {
  lib: [],
  protocol: [],
  compat: ["protocol"],
  transport: [],
  jsonrpc: ["protocol", "compat", "transport"],
  model: ["protocol", "compat"],
  shell: ["protocol", "compat"],
  patch: ["protocol", "compat"],
  sandbox: ["protocol", "compat"],
  config: ["protocol", "compat"],
  history: ["protocol", "compat"],
  project: ["protocol", "compat"],
  auth: ["protocol", "compat"],
  rollout: ["protocol", "compat"],
  search: [],
  checkpoint: ["patch", "project", "search"],
  exec: ["protocol", "compat", "sandbox", "shell"],
  hooks: ["protocol", "compat", "exec", "sandbox"],
  mcp: ["protocol", "compat", "jsonrpc", "transport"],
  agents: ["protocol"],
  tools: ["protocol", "compat", "agents", "exec", "patch", "sandbox", "shell", "mcp"],
  telemetry: ["protocol", "compat", "config", "model", "tools"],
  cells: ["protocol", "compat", "exec", "sandbox", "tools"],
  engine: [
    "protocol",
    "compat",
    "model",
    "tools",
    "agents",
    "cells",
    "checkpoint",
    "hooks",
    "exec",
    "sandbox",
    "shell",
    "patch",
    "mcp",
    "rollout",
    "history",
    "project",
    "config",
    "auth",
    "telemetry",
  ],
  server: [
    "protocol",
    "compat",
    "agents",
    "engine",
    "hooks",
    "jsonrpc",
    "transport",
    "config",
    "auth",
    "rollout",
    "project",
    "search",
    "shell",
    "exec",
    "sandbox",
    "mcp",
    "model",
    "telemetry",
  ],
  fleet: [
    "protocol",
    "compat",
    "engine",
    "server",
    "rollout",
    "config",
    "project",
    "jsonrpc",
    "transport",
    "telemetry",
  ],
  client: ["protocol", "compat", "jsonrpc", "transport"],
  inspect: ["protocol", "compat", "jsonrpc", "transport"],
  testing: ["model"],
  tui: ["protocol", "compat", "client"],
  web: ["protocol", "client", "inspect"],
};

const src = resolve(import.meta.dirname, "../src");

test("a folder imports only what lies below it", () => {
  const wrong = sourceFiles().flatMap((file) => {
    const folder = folderOf(file);
    if (folder === "cli" || folder === "") return [];
    const allowed = new Set([...(mayImport[folder] ?? []), folder, "lib"]);
    return importsOf(file)
      .filter((target) => !allowed.has(folderOf(target)))
      .map((target) => `${relative(src, file)} imports ${relative(src, target)}`);
  });

  expect(wrong).toEqual([]);
});

test("every folder of the source is in the table", () => {
  const folders = new Set(sourceFiles().map(folderOf));

  expect(
    [...folders].filter((name) => name !== "" && name !== "cli" && !(name in mayImport)),
  ).toEqual([]);
});

test("a folder is entered by an index.ts", () => {
  // Small pure helpers and data: each of their files is a door. What `import()` loads late names its
  // module, so that the rest of the folder stays unloaded.
  const open = new Set(["", "lib", "protocol"]);
  const deep = sourceFiles().flatMap((file) =>
    importsOf(file, staticImport)
      .filter((target) => folderOf(target) !== folderOf(file) && !open.has(folderOf(target)))
      .filter((target) => basename(target) !== "index.js")
      .map((target) => `${relative(src, file)} imports ${relative(src, target)}`),
  );

  expect(deep).toEqual([]);
});

test("at most three files import each other, types included", () => {
  const files = sourceFiles();
  const graph = new Map(files.map((file) => [file, importsOf(file).flatMap(toSources)]));

  const knots = cyclesOf(graph).filter((files) => files.length > 3);

  expect(knots.map((files) => files.map((file) => relative(src, file)))).toEqual([]);
});

/** Returns the strongly connected components of two files or more (Tarjan's algorithm). */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    lowest.set(file, number);
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) lower(file, visit(target));
      else if (stack.includes(target)) lower(file, order.get(target) ?? 0);
    }
    const low = lowest.get(file) ?? 0;
    if (low === number) {
      const cycle = stack.splice(stack.indexOf(file));
      if (cycle.length > 1) cycles.push(cycle);
    }
    return low;
  };
  const lower = (file: string, to: number) => {
    lowest.set(file, Math.min(lowest.get(file) ?? to, to));
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
    .map((name) => join(src, name));
}

/** Returns the files that an import of a `.js` file can mean. */
function toSources(target: string): string[] {
  return [target.replace(/\.js$/, ".ts"), target.replace(/\.js$/, ".tsx")];
}

function folderOf(file: string): string {
  const parts = relative(src, file).split(sep);
  return parts.length > 1 ? (parts[0] ?? "") : "";
}

function importsOf(file: string, pattern = anyImport): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(pattern)].map(([, specifier]) =>
    resolve(dirname(file), specifier ?? ""),
  );
}

const anyImport = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
const staticImport = /(?:from|^import)\s*"(\.[^"]+)"/gm;
