import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findThreadByName, readThreadNames, setThreadName } from "../../src/rollout/index.js";
import { temporaryHome } from "./support.js";

test("names are stored in the reference's file, and the last one counts", async () => {
  await using home = await temporaryHome();
  await setThreadName(home.path, "a", { name: "First", now: 0 });
  await setThreadName(home.path, "a", { name: "Second", now: 1000 });
  await setThreadName(home.path, "b", { name: "Other", now: 2000 });
  await setThreadName(home.path, "b", { name: "", now: 3000 });

  expect(await readThreadNames(home.path)).toEqual(new Map([["a", "Second"]]));
  expect(await findThreadByName(home.path, "Second")).toBe("a");
  expect(await findThreadByName(home.path, "Third")).toBeUndefined();
  expect(await findThreadByName(home.path, " ")).toBeUndefined();
  const [first] = readFileSync(join(home.path, "session_index.jsonl"), "utf8").split("\n");
  expect(JSON.parse(first ?? "")).toEqual({
    id: "a",
    thread_name: "First",
    updated_at: "1970-01-01T00:00:00.000Z",
  });
});

test("lines that are no names, and a torn last one, do no harm", async () => {
  await using home = await temporaryHome();
  home.write("session_index.jsonl", [
    "garbage\n",
    "[1]\n",
    { id: 1, thread_name: "x" },
    { id: "a", thread_name: "Kept", updated_at: "?" },
    '{"id":"b","thread',
  ]);

  await setThreadName(home.path, "c", { name: "Added", now: 0 });

  expect(await readThreadNames(home.path)).toEqual(
    new Map([
      ["a", "Kept"],
      ["c", "Added"],
    ]),
  );
});

test("concurrent renames all get their line", async () => {
  await using home = await temporaryHome();
  const ids = Array.from({ length: 50 }, (_, n) => `id-${n}`);

  await Promise.all(
    ids.map((id) => setThreadName(home.path, id, { name: `Name of ${id}`, now: 0 })),
  );

  expect([...(await readThreadNames(home.path)).keys()].sort()).toEqual([...ids].sort());
});
