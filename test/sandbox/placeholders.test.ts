import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Placeholders } from "../../src/sandbox/placeholders.js";

/** Name of a process that is not running. */
const dead = `1999999999 1 ${namespace()} 0 dead`;

const onLinux = test.runIf(process.platform === "linux");

function namespace(): string {
  return process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "";
}

interface Places {
  ws: string;
  shared: string;
  kept: string;
}

function places(): Places {
  const base = mkdtempSync(join(tmpdir(), "quire-places-"));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const [ws, shared, kept] = ["ws", "shared", "kept"].map((name) => join(base, name));
  if (ws === undefined || shared === undefined || kept === undefined) throw new Error("missing");
  for (const path of [ws, shared, kept]) mkdirSync(path);
  return { ws, shared, kept };
}

onLinux("a placeholder is there as long as someone holds it", async () => {
  const { ws, shared, kept } = places();
  const path = join(ws, ".git");
  const one = new Placeholders({ shared, kept, id: "one" });
  const two = new Placeholders({ shared, kept, id: "two" });

  await one.acquire([path]);
  await one.acquire([path]);
  await two.acquire([path]);
  await one.release([path]);
  await one.release([path]);
  const whileTwoHolds = existsSync(path);
  await two.release([path]);

  expect([whileTwoHolds, readdirSync(ws)]).toEqual([true, []]);
});

onLinux("what is real is left alone, even when it is empty", async () => {
  const { ws, shared } = places();
  const [empty, file] = [join(ws, ".codex"), join(ws, ".agents")];
  mkdirSync(empty);
  writeFileSync(file, "");
  const placeholders = new Placeholders({ shared, id: "a" });

  const states = await placeholders.acquire([empty, file, join(ws, "no/such/.git")]);
  await placeholders.release([...states.keys()]);

  expect([...states.values()]).toEqual(["real", "real", "impossible"]);
  expect(readdirSync(ws)).toEqual([".agents", ".codex"]);
});

onLinux("a directory that was filled in the meantime stays", async () => {
  const { ws, kept } = places();
  const path = join(ws, ".git");
  const placeholders = new Placeholders({ kept, id: "a" });
  await placeholders.acquire([path]);
  writeFileSync(join(path, "HEAD"), "");

  await placeholders.release([path]);
  const again = await placeholders.acquire([path]);

  expect([readdirSync(path), again.get(path)]).toEqual([["HEAD"], "real"]);
});

onLinux("directories are used again, also in another place", async () => {
  const { ws, kept } = places();
  const placeholders = new Placeholders({ kept, id: "a" });
  const { ino } = await hold(".git");

  const second = await hold(".codex");

  expect(second.ino).toBe(ino);
  expect(readdirSync(ws)).toEqual([]);
  placeholders.releaseAll();
  expect(readdirSync(kept)).toEqual([]);

  async function hold(name: string) {
    await placeholders.acquire([join(ws, name)]);
    const entry = statSync(join(ws, name));
    await placeholders.release([join(ws, name)]);
    return entry;
  }
});

onLinux("everything held goes at once at the end of the process", async () => {
  const { ws, shared, kept } = places();
  const placeholders = new Placeholders({ shared, kept, id: "a" });
  await placeholders.acquire([join(ws, ".git"), join(ws, ".codex")]);

  placeholders.releaseAll();

  expect([readdirSync(ws), readdirSync(kept)]).toEqual([[], []]);
});

onLinux("what a killed process left behind is removed by the next one", async () => {
  const { ws, shared, kept } = places();
  mkdirSync(join(kept, "placeholders-1999999999-1-dead/0"), { recursive: true });
  leave({ shared, ws, name: ".git" }, dead);
  const placeholders = new Placeholders({ shared, kept, id: "a" });

  await placeholders.acquire([join(ws, ".codex")]);
  const meanwhile = readdirSync(ws);
  await placeholders.release([join(ws, ".codex")]);
  placeholders.releaseAll();

  expect([meanwhile, readdirSync(ws), readdirSync(kept)]).toEqual([[".codex", ".git"], [], []]);
});

onLinux("what a killed process left in another workspace is removed as well", async () => {
  const { ws, shared } = places();
  const other = mkdtempSync(join(ws, "other-"));
  leave({ shared, ws: other, name: ".git" }, dead);
  const placeholders = new Placeholders({ shared, id: "a" });

  await placeholders.acquire([join(ws, ".codex")]);

  await expect.poll(() => readdirSync(other)).toEqual([]);
});

onLinux("what another container holds is left alone, until it is very old", async () => {
  const { ws, shared } = places();
  const [young, old] = [join(ws, "young"), join(ws, "old")];
  for (const path of [young, old]) mkdirSync(path);
  leave({ shared, ws: young, name: ".git" }, `7 1 pid:[1] ${Date.now()} other`);
  leave({ shared, ws: old, name: ".git" }, "7 1 pid:[1] 0 other");
  const placeholders = new Placeholders({ shared, id: "a" });

  for (const path of [join(young, ".git"), join(old, ".git")]) {
    await placeholders.acquire([path]);
    await placeholders.release([path]);
  }

  expect([readdirSync(young), readdirSync(old)]).toEqual([[".git"], []]);
});

onLinux("what is held is given back even when the registry was lost", async () => {
  const { ws, shared } = places();
  const placeholders = new Placeholders({ shared, id: "a" });
  await placeholders.acquire([join(ws, ".git")]);
  rmSync(join(shared, "placeholders"), { recursive: true });

  await placeholders.release([join(ws, ".git")]);

  expect(readdirSync(ws)).toEqual([]);
});

onLinux("a registry that cannot be written costs no command", async () => {
  const { ws, shared } = places();
  writeFileSync(join(shared, "placeholders"), "");
  const placeholders = new Placeholders({ shared, id: "a" });

  const states = await placeholders.acquire([join(ws, ".git")]);
  await placeholders.release([join(ws, ".git")]);

  expect([[...states.values()], readdirSync(ws)]).toEqual([["held"], []]);
});

onLinux(
  "[security H12] a process that was killed or stopped while it removed costs no command",
  async () => {
    const { ws, shared } = places();
    const folder = leave({ shared, ws, name: ".git" }, dead);
    writeFileSync(join(folder, "closing"), dead);
    const placeholders = new Placeholders({ shared, id: "a" });

    const states = await placeholders.acquire([join(ws, ".git")]);
    await placeholders.release([join(ws, ".git")]);

    expect([[...states.values()], readdirSync(ws)]).toEqual([["held"], []]);
  },
);

/** Creates a placeholder as another process would. */
function leave(place: { shared: string; ws: string; name: string }, holder: string): string {
  const path = join(place.ws, place.name);
  mkdirSync(path);
  const { dev, ino, birthtimeMs } = statSync(path);
  const key = createHash("sha1").update(place.ws).digest("hex");
  const folder = join(place.shared, "placeholders", key);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `holder ${holder}`), place.ws);
  writeFileSync(join(folder, `made-${dev}-${ino}-@${birthtimeMs}-${place.name}`), "");
  return folder;
}

onLinux("many at once in one process hold and let go as one", async () => {
  const { ws, shared, kept } = places();
  const paths = [".git", ".codex", ".agents"].map((name) => join(ws, name));
  const all = Array.from(
    { length: 4 },
    (_, id) => new Placeholders({ shared, kept, id: String(id) }),
  );
  const missing: string[] = [];

  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const placeholders = all[index % all.length] ?? new Placeholders({ id: "x" });
      await placeholders.acquire(paths);
      await new Promise((resolve) => setTimeout(resolve, index % 5));
      missing.push(...paths.filter((path) => !existsSync(path)));
      await placeholders.release(paths);
    }),
  );

  expect([missing, readdirSync(ws)]).toEqual([[], []]);
});
