import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SkillRoot } from "../../../src/project/index.js";
import { SkillWatch } from "../../../src/server/skills/watch.js";

/** Creates a folder with skills, and watches on it that end with the test. */
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

  /** Repeats an action until it is reported, since the start of a watch is not reported. */
  async untilReported(change: () => void): Promise<void> {
    const reported = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const again = setInterval(change, 50);
    await reported;
    clearInterval(again);
  }

  /** Waits for one more report. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const userRoot = (path: string): SkillRoot => ({ path, scope: "user" });

test("changes in existing and new skill folders are reported", async () => {
  using folder = openFolder();
  folder.write("a");
  const watched = folder.watch(() => [userRoot(folder.root)]);

  await watched.untilReported(() => folder.write("a"));
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

test("a skill folder that is created or replaced later is watched", async () => {
  using folder = openFolder();
  const watched = folder.watch(() => [userRoot(folder.root)]);

  await watched.untilReported(() => folder.write("a"));
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

test("many changes are reported once per interval", async () => {
  using folder = openFolder();
  folder.write("a");
  const watched = folder.watch(() => [userRoot(folder.root)], 1_000);
  await watched.untilReported(() => folder.write("a"));
  const reportedAt = performance.now();

  const next = watched.next();
  for (let i = 0; i < 100; i++) folder.write(`many-${i}`);
  await next;

  expect(performance.now() - reportedAt).toBeGreaterThan(900);
  expect(watched.changes).toBe(2);
});

test("nothing is watched without roots or after `close`", async () => {
  using folder = openFolder();
  folder.write("a");
  const roots = [userRoot(folder.root)];
  let wanted = roots;
  const [unwanted, closed] = [folder.watch(() => wanted), folder.watch(() => roots)];
  await Promise.all([unwanted, closed].map((one) => one.untilReported(() => folder.write("a"))));
  wanted = [];
  unwanted.watch.look();
  closed.watch.close();
  closed.watch.look();
  // Updates run in order, so a later one also covers the earlier ones.
  const other = folder.watch(() => roots);
  await other.untilReported(() => folder.write("b"));
  const before = [unwanted.changes, closed.changes];

  const next = other.next();
  folder.write("c");
  await next;

  expect([unwanted.changes, closed.changes]).toEqual(before);
});
