import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "../../support/exec.js";
import { calls, says } from "../../support/model.js";

test("exec --goal runs to the end of the goal, and queued messages come first on resume", async () => {
  const model = [
    says("One."),
    calls("update_goal", { status: "complete" }),
    says("Two."),
    says("Queued."),
    calls("update_goal", { status: "blocked" }),
    says("Stuck."),
  ];
  await using place = await makePlace(model);

  const first = await place.run("quire", ["exec", "--goal", "make it pass"]);
  const id = /session id: (\S+)/.exec(first.stderr)?.[1] ?? "";
  const queued = await place.run("quire", ["queue", "--thread", id, "--message", "and then?"]);
  const second = await place.run("quire", ["exec", "resume", id, "--goal", "more"]);
  const unknown = await place.run("quire", [
    "queue",
    "--thread",
    id.replace(/^.{8}/, "00000000"),
    "-m",
    "x",
  ]);
  const none = await place.run("quire", ["queue", "--thread", id]);
  const wrong = [
    ["--goal", "a", "b"],
    ["--goal", " "],
    ["--goal", "a", "--ephemeral"],
  ];
  const refused = await Promise.all(wrong.map((args) => place.run("quire", ["exec", ...args])));
  const tooLong = await place.run("quire", ["exec", "--goal", "a".repeat(4001)]);

  expect(first).toMatchObject({ code: 0, stdout: "Two.\n" });
  expect(queued).toMatchObject({ code: 0, stdout: expect.stringContaining(`Queued for ${id}`) });
  expect(second).toMatchObject({ code: 1, stdout: "Stuck.\n" });
  expect(second.stderr).toContain("The goal is not reached: blocked");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("thread not found") });
  expect(none).toMatchObject({ code: 2 });
  expect(refused.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(tooLong.code).toBe(1);
  // The error is the last line: no stack follows.
  expect(tooLong.stderr).toMatch(/\nquire: goal objective must be at most 4000 characters\n$/);
  expect(await userMessages(place.home)).toEqual(["and then?"]);
});

/** Texts of the user in all rollouts. */
async function userMessages(home: string): Promise<string[]> {
  const folder = join(home, "sessions");
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts
    .flatMap((text) => text.trim().split("\n"))
    .map((line) => JSON.parse(line) as { payload: { type?: string; message?: string } })
    .flatMap(({ payload }) => (payload.type === "user_message" ? [payload.message ?? ""] : []));
}
