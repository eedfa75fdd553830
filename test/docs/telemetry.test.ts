import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { metrics } from "../../src/telemetry/index.js";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/telemetry.md"), "utf8");
const source = readdirSync(join(root, "src/telemetry"))
  .map((name) => readFileSync(join(root, "src/telemetry", name), "utf8"))
  .join("\n");

test("docs/telemetry.md has every metric", () => {
  const rows = Object.entries(metrics).map(
    ([name, { kind, unit, text }]) => `| \`${name}\` | ${kind} | \`${unit}\` | ${text} |`,
  );

  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

test("docs/telemetry.md has every attribute, log record and variable of the source", () => {
  const names = source.match(
    /(?<=")(?:gen_ai|quire\.turn|codex|server)\.[\w.]+(?=")|\bOTEL_[A-Z_]+\b/g,
  );
  const known = (name: string) => page.includes(name.replace(/_$/, ""));

  expect(names?.length).toBeGreaterThan(50);
  expect([...new Set(names)].filter((name) => !known(name))).toEqual([]);
});
