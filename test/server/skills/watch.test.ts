import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SkillRoot } from "../../../src/project/index.js";
import { SkillWatch } from "../../../src/server/skills/watch.js";

/** A folder with skills, and watches on it that end with the test. */
function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), "quire-skills-"));
  const watches: SkillWatch[] = [];
  return {
    root: join(folder, "skills"),
    write(name: string, text = "x"): void {
      mkdirSync(join(folder, "skills", name), { recursive: true });
      writeFileSync(join(folder, "skills", name, "SKILL.md"), text);
    },
    remove: (name: string) => rmSync(join(folder, "skills", name), { recursive: true }),
    watch(roots: () => readonly SkillRoot[], intervalMs = 0): Watched {
      const watched = new Watched(roots, intervalMs);
      watches.push(watched.watch);
      watched.watch.look();
      return watched;
    },
    [Symbol.dispose]() {
      for (const watch of watches) watch.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

class Watched {
  readonly watch: SkillWatch;
  changes = 0;
  #wake = () => {};

  constructor(roots: () => readonly SkillRoot[], intervalMs: number) {
    const onChange = () => {
      this.changes++;
      this.#wake();
    };
    this.watch = new SkillWatch({ roots: async () => roots(), onChange, intervalMs });
  }

  /** Does something again and again until it is heard: when a watch begins is not told. */
  async hears(change: () => void): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const again = setInterval(change, 50);
    await heard;
    clearInterval(again);
  }

  /** Waits for one more change after what has been done by now. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const userRoot = (path: string): SkillRoot => ({ path, scope: "user" });

test("a change in a folder of skills is told, also in one that was made since", async () => {
  using folder = openFolder();
  folder.write("a");
  const watched = folder.watch(() => [userRoot(folder.root)]);

  await watched.hears(() => folder.write("a"));
  const added = watched.next();
  folder.write("b/c/d");
  await added;
  const changed = watched.next();
  folder.write("b/c/d", "y");
  await changed;
  const removed = watched.next();
  folder.remove("b");
  await removed;

  expect(watched.changes).toBeGreaterThanOrEqual(4);
});

test("a folder of skills that is made later, or made anew, is watched", async () => {
  using folder = openFolder();
  const watched = folder.watch(() => [userRoot(folder.root)]);

  await watched.hears(() => folder.write("a"));
  const gone = watched.next();
  folder.remove("");
  await gone;
  const back = watched.next();
  folder.write("a");
  await back;
  const changed = watched.next();
  folder.write("a", "y");

  await changed;
});

test("many changes are told once in a while", async () => {
  using folder = openFolder();
  folder.write("a");
  const watched = folder.watch(() => [userRoot(folder.root)], 1_000);
  await watched.hears(() => folder.write("a"));
  const told = performance.now();

  const next = watched.next();
  for (let i = 0; i < 100; i++) folder.write(`many-${i}`);
  await next;

  expect(performance.now() - told).toBeGreaterThan(900);
  expect(watched.changes).toBe(2);
});

test("what nobody wants to hear of any more is not watched, nor after the end", async () => {
  using folder = openFolder();
  folder.write("a");
  const roots = [userRoot(folder.root)];
  let wanted = roots;
  const [unwanted, closed] = [folder.watch(() => wanted), folder.watch(() => roots)];
  await Promise.all([unwanted, closed].map((one) => one.hears(() => folder.write("a"))));
  wanted = [];
  unwanted.watch.look();
  closed.watch.close();
  closed.watch.look();
  // Those who begin to look later have looked later too.
  const other = folder.watch(() => roots);
  await other.hears(() => folder.write("b"));
  const before = [unwanted.changes, closed.changes];

  const next = other.next();
  folder.write("c");
  await next;

  expect([unwanted.changes, closed.changes]).toEqual(before);
});
