import { existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  archiveThread,
  deleteThread,
  listThreads,
  RolloutRecorder,
  unarchiveThread,
  writerLockPath,
} from "../../src/rollout/index.js";
import { id, meta, said, type TestHome, temporaryHome } from "./support.js";

const name = `rollout-2025-01-02T10-00-00-${id}.jsonl`;

function store(home: TestHome): string {
  return home.write(`sessions/2025/01/02/${name}`, [meta(), ...said("user", "hello")]);
}

async function listed(home: TestHome, archived: boolean): Promise<string[]> {
  return (await listThreads(home.path, { archived })).items.map(({ path }) => path);
}

test("archives a conversation and restores it to its day", async () => {
  await using home = await temporaryHome();
  const path = store(home);

  const away = await archiveThread(home.path, { id, path });
  const lists = [await listed(home, false), await listed(home, true)];
  const back = await unarchiveThread(home.path, { id, path: away });

  expect(lists).toEqual([[], [join(home.path, "archived_sessions", name)]]);
  expect(back).toBe(path);
  expect([await listed(home, false), await listed(home, true)]).toEqual([[path], []]);
  expect(statSync(join(home.path, "archived_sessions")).mode & 0o777).toBe(0o700);
});

test("a conversation is removed for good, wherever it is", async () => {
  await using home = await temporaryHome();
  await deleteThread(home.path, { id, path: store(home) });
  const gone = await listed(home, false);
  const away = await archiveThread(home.path, { id, path: store(home) });

  await deleteThread(home.path, { id, path: away }, { archived: true });

  expect([gone, existsSync(away)]).toEqual([[], false]);
});

test("a path that leads out of the sessions is refused, also through a link", async () => {
  await using home = await temporaryHome();
  store(home);
  const outside = home.write(`other/${name}`, [meta()]);
  const sibling = home.write(`sessions-2/${name}`, [meta()]);
  const link = join(home.path, "sessions", name);
  symlinkSync(outside, link);
  const paths = [
    outside,
    sibling,
    link,
    join(home.path, "sessions/../other", name),
    "/dev/null",
    "",
  ];

  for (const path of paths) {
    await expect(archiveThread(home.path, { id, path })).rejects.toMatchObject({
      code: "invalid_request",
      message: `rollout path \`${path}\` must be in sessions directory`,
    });
  }
  await expect(unarchiveThread(home.path, { id, path: outside })).rejects.toMatchObject({
    message: `rollout path \`${outside}\` must be in archived directory`,
  });
  expect(existsSync(outside)).toBe(true);
});

test("refuses a file of another conversation and anything but a regular file", async () => {
  await using home = await temporaryHome();
  const path = store(home);
  const folder = join(home.path, "sessions", `x-${id}.jsonl`);
  mkdirSync(folder);

  for (const other of ["", "0192c7a1-0000-7000-8000-000000000002"]) {
    await expect(archiveThread(home.path, { id: other, path })).rejects.toMatchObject({
      message: `rollout path \`${path}\` does not match conversation id ${other}`,
    });
  }
  await expect(deleteThread(home.path, { id, path: folder })).rejects.toMatchObject({
    message: `rollout path \`${folder}\` is not a file`,
  });
});

test("a conversation that is being written, or whose target exists, is not moved", async () => {
  await using home = await temporaryHome();
  const path = store(home);
  const lock = writerLockPath(home.path, id);
  const recorder = new RolloutRecorder({
    path,
    now: () => 0,
    onFailure() {},
    create: "never",
    lock,
  });
  const refused = await archiveThread(home.path, { id, path }).catch(
    (error: Error) => error.message,
  );
  await recorder.close();

  home.write(`archived_sessions/${name}`, ["another"]);
  const taken = await archiveThread(home.path, { id, path }).catch((error: Error) => error.message);

  expect(refused).toBe(`conversation ${id} is being written by this process`);
  expect(taken).toBe(`file ${join(home.path, "archived_sessions", name)} already exists`);
  expect(existsSync(path)).toBe(true);
});
