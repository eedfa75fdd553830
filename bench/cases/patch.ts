import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyChanges, parsePatch, unifiedDiff, verifyPatch } from "../../src/patch/index.js";
import type { Figure, Scope, Yardstick } from "../figure.js";
import { interleaved, timed } from "../measure.js";
import { plainLoop } from "../yardsticks.js";

const lineCount = 10_000;
const hunkCount = 500;

/** Cost of a patch of a large file: parsing and verifying, applying, and computing the diff. */
export async function patchFigures({ short, folder }: Scope): Promise<Figure[]> {
  const file = join(folder, "large.txt");
  const before = textOf((n) => `line ${n}: ${words(n)}`);
  const after = textOf((n) => (isChanged(n) ? `changed ${n}` : `line ${n}: ${words(n)}`));
  const patch = patchText();
  const put = () => writeFile(file, before);

  const [loop = 0, copy = 0, verify = 0, apply = 0, diff = 0] = await interleaved(short ? 15 : 41, [
    async () => plainLoop().value,
    async () => {
      await put();
      return timed(() => rewrite(file));
    },
    async () => {
      await put();
      return timed(() => verified(patch, folder));
    },
    async () => {
      await put();
      const checked = await verified(patch, folder);
      const ms = await timed(() => applyChanges(checked));
      if ((await readFile(file, "utf8")) !== after) throw new Error("The patch did something else");
      return ms;
    },
    () => timed(() => unifiedDiff(before, after)),
  ]);
  const beside: Yardstick = { name: "reading and writing it by lines", value: copy };
  const of = `${lineCount.toLocaleString("en")} lines, ${hunkCount} hunks`;
  const figure = (key: string, name: string, value: number): Figure => {
    return { key, name, value, unit: "ms", beside, scale: { name: "plain loop", value: loop } };
  };
  return [
    figure("patch.verify", `parse and check a patch (${of})`, verify),
    figure("patch.apply", "apply it", apply),
    figure("patch.diff", "unified diff of it", diff),
  ];
}

async function rewrite(file: string): Promise<void> {
  const lines = (await readFile(file, "utf8")).split("\n");
  await writeFile(file, lines.join("\n"));
}

async function verified(patch: string, cwd: string) {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const verification = await verifyPatch(parsed.patch.hunks, { cwd });
  if (!verification.ok) throw new Error(JSON.stringify(verification.failure));
  return verification.patch;
}

function patchText(): string {
  const chunks: string[] = [];
  for (let n = 0; n < lineCount; n++) {
    if (!isChanged(n)) continue;
    const line = (at: number) => `line ${at}: ${words(at)}`;
    chunks.push(`@@\n ${line(n - 1)}\n-${line(n)}\n+changed ${n}\n ${line(n + 1)}\n`);
  }
  return `*** Begin Patch\n*** Update File: large.txt\n${chunks.join("")}*** End Patch`;
}

function textOf(line: (n: number) => string): string {
  return `${Array.from({ length: lineCount }, (_, n) => line(n)).join("\n")}\n`;
}

function isChanged(n: number): boolean {
  return n % (lineCount / hunkCount) === 10;
}

function words(n: number): string {
  return `the value ${(n * 7919) % 104_729} of ${(n * 31) % 97}`;
}
