import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { notifyUser, type TurnNotification } from "../../src/project/index.js";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.js";

const notification: TurnNotification = {
  type: "agent-turn-complete",
  "turn-id": "t1",
  "input-messages": ["$(touch pwned); `x` \"y\" 'z'\n"],
  "last-assistant-message": "done",
};

test("the program gets its arguments and the notification as they are", async () => {
  await using folder = await temporaryFolder();
  const program = await recorder(folder);

  notifyUser(notification, { argv: [program, "a b", "$HOME"] });

  const [first, second, json] = await recorded(folder, 3);
  expect([first, second]).toEqual(["a b", "$HOME"]);
  expect(JSON.parse(json ?? "")).toEqual(notification);
});

test("a message longer than an argument may be is shortened", async () => {
  await using folder = await temporaryFolder();
  const program = await recorder(folder);

  notifyUser(
    { ...notification, "last-assistant-message": "é".repeat(300_000) },
    { argv: [program], onFailure: (error) => expect.fail(String(error)) },
  );

  const [json = ""] = await recorded(folder, 1);
  const told = JSON.parse(json) as TurnNotification;
  expect(told).toEqual({
    ...notification,
    "last-assistant-message": expect.stringMatching(/^é+…$/),
  });
});

test("a program that cannot be started is reported, without other effects", async () => {
  await using folder = await temporaryFolder();
  const onFailure = vi.fn();

  notifyUser(notification, { argv: [join(folder.path, "missing")], onFailure });
  notifyUser(notification, { argv: ["a\0b"], onFailure });
  notifyUser(notification, { argv: [], onFailure });

  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledTimes(2));
});

/** A program that writes each of its arguments, ended by a NUL, to a file. */
async function recorder(folder: TemporaryFolder): Promise<string> {
  const out = join(folder.path, "out");
  await folder.write({
    "record.sh": `#!/bin/sh\nprintf '%s\\0' "$@" > ${out}.part && mv ${out}.part ${out}\n`,
  });
  const program = join(folder.path, "record.sh");
  await chmod(program, 0o755);
  return program;
}

async function recorded(folder: TemporaryFolder, count: number): Promise<string[]> {
  return vi.waitFor(
    async () => {
      const words = (await readFile(join(folder.path, "out"), "utf8")).split("\0").slice(0, -1);
      expect(words).toHaveLength(count);
      return words;
    },
    { timeout: 10_000 },
  );
}
