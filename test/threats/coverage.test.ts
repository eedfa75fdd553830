import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { coverage } from "./coverage.js";

interface Case {
  id: string;
  area: string;
}

const list = resolve(import.meta.dirname, "../../../shared/reference/threats.json");
const hasList = existsSync(list);

/** Areas in which every case must have a test. */
const areas = new Set([
  "approval",
  "apply_patch",
  "disk",
  "login",
  "mcp",
  "model_stream",
  "process",
  "protocol",
  "sandbox",
  "secrets",
  "server",
  "trust",
]);

if (!hasList) console.warn(`SKIPPED: ${list} is missing, so nobody knows what must be withstood`);

test.runIf(hasList || process.env.CI === "true")("every known attack has a test", () => {
  const { cases } = JSON.parse(readFileSync(list, "utf8")) as { cases: Case[] };

  const missing = cases.filter(({ id, area }) => areas.has(area) && !Object.hasOwn(coverage, id));
  const known = new Set(cases.map(({ id }) => id));

  expect(cases.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
  expect(Object.keys(coverage).filter((id) => !known.has(id))).toEqual([]);
});

test("the tests listed for an attack exist", () => {
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    const path = join(import.meta.dirname, "..", file);
    const text = texts.get(file) ?? (existsSync(path) ? readFileSync(path, "utf8") : "");
    texts.set(file, text);
    return text;
  };

  const gone = Object.entries(coverage).flatMap(([id, places]) =>
    places
      .filter(([file, name]) => !textOf(file).includes(JSON.stringify(name)))
      .map((place) => [id, ...place]),
  );
  const unnamed = Object.entries(coverage).filter(
    ([id, places]) =>
      places.length === 0 ||
      places.some(([file]) => file.startsWith("threats/") && !textOf(file).includes(id)),
  );

  expect(gone).toEqual([]);
  expect(unnamed).toEqual([]);
});
