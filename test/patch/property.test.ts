import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyChanges, type Hunk, parsePatch, verifyPatch } from "../../src/patch/index.js";
import { repeats } from "../support/counts.js";
import { expectedFiles, type Files } from "./oracle.js";
import { temporaryFolder } from "./temporary-folder.js";

const count = repeats(10_000, 2_000);
const NAMES = ["a", "b", "c"];
const line = fc.constantFrom("x", "y", "z", "", " x", "y ", "f() {");
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.boolean())
  .map(([lines, ended]) =>
    ended && lines.length > 0 ? `${lines.join("\n")}\n` : lines.join("\n"),
  );
const files: fc.Arbitrary<Files> = fc.dictionary(fc.constantFrom(...NAMES), text, { maxKeys: 3 });

/** Chunks cut out of the file, and random ones. */
const chunk = fc.record({
  at: fc.nat(8),
  length: fc.nat(3),
  flips: fc.array(fc.constantFrom("keep", "remove", "replace"), { minLength: 4, maxLength: 4 }),
  added: fc.array(line, { maxLength: 2 }),
  invented: fc.boolean(),
  context: fc.option(fc.oneof(line, fc.constant("above")), { freq: 3 }),
  endOfFile: fc.boolean(),
});
const section = fc.record({
  kind: fc.constantFrom("update", "update", "update", "add", "delete"),
  path: fc.constantFrom(...NAMES),
  movePath: fc.option(fc.constantFrom(...NAMES), { freq: 4 }),
  chunks: fc.array(chunk, { minLength: 1, maxLength: 3 }),
  lines: fc.array(line, { maxLength: 3 }),
});

test("random patches either do exactly what they state or change nothing", async () => {
  await using folder = await temporaryFolder({ fast: true });
  const counts = { applied: 0, refused: 0 };

  await fc.assert(
    fc.asyncProperty(files, fc.array(section, { maxLength: 3 }), async (before, sections) => {
      writeFiles(folder.path, before);
      const patch = toPatch(before, sections);
      const parsed = parsePatch(patch);
      if (!parsed.ok) throw new Error(`${parsed.error.message}\n${patch}`);

      const applied = await apply(folder.path, parsed.patch.hunks);

      const expected = sections.length > 0 ? expectedFiles(before, parsed.patch.hunks) : undefined;
      expect({ applied, files: readFiles(folder.path) }).toEqual({
        applied: expected !== undefined,
        files: expected ?? before,
      });
      counts[applied ? "applied" : "refused"] += 1;
    }),
    { numRuns: count },
  );

  expect(Math.min(counts.applied, counts.refused)).toBeGreaterThan(count / 10);
});

async function apply(cwd: string, hunks: readonly Hunk[]): Promise<boolean> {
  const verified = await verifyPatch(hunks, { cwd });
  if (!verified.ok) return false;
  const outcome = await applyChanges(verified.patch);
  if (!outcome.ok) throw new Error(outcome.stderr);
  return true;
}

type Section = typeof section extends fc.Arbitrary<infer Value> ? Value : never;
type Chunk = typeof chunk extends fc.Arbitrary<infer Value> ? Value : never;

function toPatch(before: Files, sections: readonly Section[]): string {
  const lines = sections.flatMap(({ kind, path, movePath, chunks, lines: added }) => {
    if (kind === "add") return [`*** Add File: ${path}`, ...added.map((text) => `+${text}`)];
    if (kind === "delete") return [`*** Delete File: ${path}`];
    const move = movePath === null ? [] : [`*** Move to: ${movePath}`];
    const source = (before[path] ?? "").split("\n");
    return [`*** Update File: ${path}`, ...move, ...chunks.flatMap((one) => toLines(one, source))];
  });
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function toLines(
  { at, length, flips, added, invented, context, endOfFile }: Chunk,
  source: string[],
) {
  const start = Math.min(at, source.length);
  const old = invented
    ? ["q", ...source.slice(start, start + 1)]
    : source.slice(start, start + length);
  const above = context === "above" ? source[start - 1] : context;
  const lines = old.flatMap((text, index) => {
    const flip = flips[index % flips.length];
    if (flip === "keep") return [` ${text}`];
    return flip === "remove" ? [`-${text}`] : [`-${text}`, `+new ${text}`];
  });
  lines.push(...added.map((text) => `+${text}`));
  if (lines.length === 0) lines.push("+only");
  const head = above ? `@@ ${above}` : "@@";
  return [head, ...lines, ...(endOfFile ? ["*** End of File"] : [])];
}

/** Replaces the contents of the folder with exactly these files. */
function writeFiles(dir: string, content: Files): void {
  for (const name of readdirSync(dir)) rmSync(join(dir, name));
  for (const [name, text] of Object.entries(content)) writeFileSync(join(dir, name), text);
}

function readFiles(dir: string): Files {
  const found: Files = {};
  for (const name of readdirSync(dir)) found[name] = readFileSync(join(dir, name), "utf8");
  return found;
}
