import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
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
  exec: ["protocol", "compat", "sandbox", "shell"],
  mcp: ["protocol", "compat", "jsonrpc", "transport"],
  tools: ["protocol", "compat", "exec", "patch", "sandbox", "shell", "mcp"],
  engine: [
    "protocol",
    "compat",
    "model",
    "tools",
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
  ],
  server: [
    "protocol",
    "compat",
    "engine",
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
  ],
  client: ["protocol", "compat", "jsonrpc", "transport"],
  tui: ["protocol", "compat", "client"],
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

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => join(src, name));
}

function folderOf(file: string): string {
  const parts = relative(src, file).split(sep);
  return parts.length > 1 ? (parts[0] ?? "") : "";
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
  return specifiers.map(([, specifier]) => resolve(dirname(file), specifier ?? ""));
}
