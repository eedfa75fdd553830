import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { takeWriterLock, writerLockPath, writerOf } from "../../src/rollout/writer-lock.js";
import { id, type TestHome, temporaryHome } from "./support.js";

/** Writes a lock as another holder would leave it. */
function leaveLock(home: TestHome, holder: string): string {
  const path = writerLockPath(home.path, id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, holder);
  return path;
}

test("a lock is held until it is released, and its folder is removed with it", async () => {
  await using home = await temporaryHome();
  const path = writerLockPath(home.path, id);

  const lock = takeWriterLock(path);
  expect(writerOf(path)).toBe("this process");
  expect(() => takeWriterLock(path)).toThrow("The conversation is being written by this process");
  lock.release();

  expect(existsSync(dirname(path))).toBe(false);
  expect(writerOf(path)).toBeUndefined();
  takeWriterLock(path).release();
});

test("the error names the holder, the lock and the remedy", async () => {
  await using home = await temporaryHome();
  const path = writerLockPath(home.path, id);
  using _lock = disposable(takeWriterLock(path));

  expect(() => takeWriterLock(path)).toThrow(
    expect.objectContaining({
      code: "invalid_request",
      message: expect.stringContaining(`(if that process has exited, delete ${path})`),
      data: { pid: process.pid, lock: path },
    }),
  );
});

test("the lock of a process that has exited is taken over", async () => {
  await using home = await temporaryHome();
  const first = takeWriterLock(writerLockPath(home.path, "self"));
  const self = readFileSync(writerLockPath(home.path, "self"), "utf8");
  first.release();
  // No process has this id: the maximum of Linux is 2^22.
  const dead = self.replace(String(process.pid), "99999999");
  const path = leaveLock(home, dead);

  expect(writerOf(path)).toBeUndefined();
  const lock = takeWriterLock(path);

  expect(writerOf(path)).toBe("this process");
  lock.release();
});

test("the lock of another host counts until it is half a day old", async () => {
  await using home = await temporaryHome();
  const first = takeWriterLock(writerLockPath(home.path, "self"));
  const self = readFileSync(writerLockPath(home.path, "self"), "utf8");
  first.release();
  const path = leaveLock(home, self.replaceAll(hostname(), "elsewhere.example"));

  expect(writerOf(path)).toBe(`process ${process.pid} on elsewhere.example`);
  const old = Date.now() / 1000 - 13 * 60 * 60;
  utimesSync(path, old, old);

  expect(writerOf(path)).toBeUndefined();
  takeWriterLock(path).release();
});

test("releasing a lock that another holder has taken does not remove it", async () => {
  await using home = await temporaryHome();
  const path = writerLockPath(home.path, id);
  const lock = takeWriterLock(path);
  writeFileSync(path, "someone else");

  lock.release();

  expect(readFileSync(path, "utf8")).toBe("someone else");
});

test("a folder that cannot be created is the system's error", async () => {
  await using home = await temporaryHome();
  home.write("quire-locks", [""]);

  expect(() => takeWriterLock(writerLockPath(home.path, id))).toThrow("ENOTDIR");
  expect(writerOf(join(home.path, "none.lock"))).toBeUndefined();
});

function disposable(lock: { release(): void }): Disposable {
  return { [Symbol.dispose]: () => lock.release() };
}

test("the locks of a process are one file, and each is released by itself", async () => {
  await using home = await temporaryHome();
  const [first, second, third] = ["a", "b", "c"].map((name) => writerLockPath(home.path, name));

  const locks = [first, second].map((path) => takeWriterLock(path ?? ""));
  expect(statSync(first ?? "").ino).toBe(statSync(second ?? "").ino);
  locks[0]?.release();
  locks[0]?.release();
  locks.push(takeWriterLock(third ?? ""));

  expect(existsSync(first ?? "")).toBe(false);
  expect([second, third].map((path) => writerOf(path ?? ""))).toEqual([
    "this process",
    "this process",
  ]);
  expect(() => takeWriterLock(second ?? "")).toThrow("being written by this process");
  for (const lock of locks) lock.release();
  expect(existsSync(dirname(second ?? ""))).toBe(false);
});

test("a lock is no link to one that is so old that other hosts would let it expire sooner", async () => {
  await using home = await temporaryHome();
  const [first, second] = ["a", "b"].map((name) => writerLockPath(home.path, name));
  using _first = disposable(takeWriterLock(first ?? ""));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60 * 60 * 1000 });
  try {
    using _second = disposable(takeWriterLock(second ?? ""));
    expect(statSync(second ?? "").ino).not.toBe(statSync(first ?? "").ino);
  } finally {
    vi.useRealTimers();
  }
});
