import { existsSync, statSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { pinnedId } from "../../../../src/server/organization/organization.js";
import { meta, said } from "../../../rollout/support.js";
import { createInProcessUser, type InProcessUser } from "../../support/in-process.js";

const day = 24 * 60 * 60 * 1000;

/** Writes a session that was last added to so many days ago. */
function session(user: InProcessUser, n: number, days: number): { id: string; path: string } {
  const id = `0192c7a1-0000-7000-8000-00000000000${n}`;
  const name = `home/sessions/2025/01/01/rollout-2025-01-01T00-00-0${n}-${id}.jsonl`;
  const lines = [meta({ id, cwd: user.project }), ...said("user", "x".repeat(30_000))];
  const path = user.write(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const time = new Date(Date.now() - days * day);
  utimesSync(path, time, time);
  return { id, path };
}

function pin(user: InProcessUser, ...threads: string[]): void {
  const pinned = { id: pinnedId, name: "Pinned", appearance: null, threads };
  const state = { sections: [pinned], projects: [], threads: {} };
  user.write("home/quire-organization.json", JSON.stringify(state));
}

test("pinned sessions are not pruned", async () => {
  using user = createInProcessUser();
  const [pinned, other] = [session(user, 1, 400), session(user, 2, 300)];
  pin(user, pinned.id);

  const ran = await user.run(["sessions", "prune", "--yes"]);

  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Deleted 1 session (") });
  expect([existsSync(pinned.path), existsSync(other.path)]).toEqual([true, false]);
});

test("nothing is pruned while the list of pinned sessions cannot be read", async () => {
  using user = createInProcessUser();
  const old = session(user, 1, 400);
  user.write("home/quire-organization.json", "{");

  const ran = await user.run(["sessions", "prune", "--yes"]);

  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain("quire-organization.json is not valid");
  expect(existsSync(old.path)).toBe(true);
});

test("`--max-size` deletes the oldest sessions until the others fit", async () => {
  using user = createInProcessUser();
  const sessions = [1, 2, 3, 4].map((n) => session(user, n, 10 - n));
  const [first, second] = sessions;
  pin(user, first?.id ?? "");
  const { size } = statSync(first?.path ?? "");
  const most = `${Math.ceil((2.5 * size) / 1024)}kb`;

  const preview = await user.run(["sessions", "prune", "--max-size", most, "--dry-run"]);
  const old = await user.run([
    "sessions",
    "prune",
    "--max-size",
    most,
    "--older-than",
    "30d",
    "-y",
  ]);
  const ran = await user.run(["sessions", "prune", "--max-size", most, "--yes"]);

  expect(preview.stdout).toBe(`${second?.id}\n`);
  expect(old.stderr).toContain("Would delete 0 sessions");
  expect(ran.code).toBe(0);
  expect(sessions.map(({ path }) => existsSync(path))).toEqual([true, false, true, true]);
});

test("a size that is none is refused", async () => {
  using user = createInProcessUser();

  const ran = await user.run(["sessions", "prune", "--max-size", "many"]);

  expect(ran).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "Expected --max-size to be a size such as 500mb or 2gb (got many)",
    ),
  });
});
