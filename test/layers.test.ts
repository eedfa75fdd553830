import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

/** What each folder of `src` may import besides `lib`; arrows point down only. */
const mayImport: Record<string, readonly string[]> = {
  lib: [],
  protocol: [],
  transport: [],
  jsonrpc: ["protocol", "transport"],
  model: ["protocol"],
  shell: ["protocol"],
  patch: ["protocol"],
  sandbox: ["protocol"],
  config: ["protocol"],
  history: ["protocol"],
  project: ["protocol"],
  auth: ["protocol"],
  rollout: ["protocol"],
  search: [],
  exec: ["protocol", "sandbox", "shell"],
  mcp: ["protocol", "jsonrpc", "transport"],
  tools: ["protocol", "exec", "patch", "sandbox", "shell", "mcp"],
  engine: [
    "protocol",
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
    "engine",
    "jsonrpc",
    "transport",
    "config",
    "auth",
    "rollout",
    "project",
    "search",
    "shell",
  ],
  client: ["protocol", "jsonrpc", "transport"],
  tui: ["protocol", "client"],
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
