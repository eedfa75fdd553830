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
  const both = await place.run("quire", ["exec", "--goal", "a", "b"]);

  expect(first).toMatchObject({ code: 0, stdout: "Two.\n" });
  expect(queued).toMatchObject({ code: 0, stdout: expect.stringContaining(`Queued for ${id}`) });
  expect(second).toMatchObject({ code: 1, stdout: "Stuck.\n" });
  expect(second.stderr).toContain("The goal is not reached: blocked");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("thread not found") });
  expect(none).toMatchObject({ code: 2 });
  expect(both).toMatchObject({ code: 2 });
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
