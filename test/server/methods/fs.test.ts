import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialize, startAppServer } from "../../support/app-server.js";

async function start() {
  const server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const call = (verb: string, params: object) => client.call(`fs/${verb}`, params);
  const at = (...names: string[]) => join(server.workspace, ...names);
  return { client, call, at, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a file with arbitrary bytes is written and read", async () => {
  await using scene = await start();
  const { call, at } = scene;
  const dataBase64 = Buffer.from([0, 255, 10]).toString("base64");

  expect(await call("writeFile", { path: at("a"), dataBase64 })).toEqual({});

  expect(await call("readFile", { path: at("a") })).toEqual({ dataBase64 });
  expect(await call("getMetadata", { path: at("a") })).toEqual({
    isDirectory: false,
    isFile: true,
    isSymlink: false,
    createdAtMs: expect.any(Number),
    modifiedAtMs: expect.any(Number),
  });
});

test("folders are created, listed and removed", async () => {
  await using scene = await start();
  const { call, at } = scene;
  await call("createDirectory", { path: at("d", "e") });
  await writeFile(at("d", "f"), "");
  await symlink(at("d", "e"), at("d", "link"));
  await symlink("/nowhere", at("d", "dead"));

  expect(await call("readDirectory", { path: at("d") })).toEqual({
    entries: [
      { fileName: "dead", isDirectory: false, isFile: false },
      { fileName: "e", isDirectory: true, isFile: false },
      { fileName: "f", isDirectory: false, isFile: true },
      { fileName: "link", isDirectory: true, isFile: false },
    ],
  });
  expect(await call("getMetadata", { path: at("d", "link") })).toMatchObject({
    isDirectory: true,
    isSymlink: true,
  });
  await call("remove", { path: at("d") });
  expect(existsSync(at("d"))).toBe(false);
});

test("removing a link keeps its target, also with a trailing slash", async () => {
  await using scene = await start();
  const { call, at } = scene;
  await mkdir(at("real"));
  await writeFile(at("real", "kept"), "");
  await symlink(at("real"), at("link"));

  await call("remove", { path: `${at("link")}/` });

  expect(existsSync(at("link"))).toBe(false);
  expect(existsSync(at("real", "kept"))).toBe(true);
});

test("folders are copied with their links, and not into themselves", async () => {
  await using scene = await start();
  const { call, at } = scene;
  await mkdir(at("a"));
  await writeFile(at("a", "file"), "text");
  await symlink("/etc", at("a", "link"));
  await symlink(at("a"), at("again"));
  const copy = (destinationPath: string, rest: object = {}) =>
    call("copy", { sourcePath: at("a"), destinationPath, ...rest });

  await expect(copy(at("b"))).rejects.toThrow("requires recursive: true");
  await copy(at("b"), { recursive: true });

  expect(readFileSync(at("b", "file"), "utf8")).toBe("text");
  expect(readlinkSync(at("b", "link"))).toBe("/etc");
  for (const inside of [at("a"), at("a", "x", "y"), at("again", "z")]) {
    await expect(copy(inside, { recursive: true })).rejects.toMatchObject({
      code: -32600,
      message: "fs/copy cannot copy a directory to itself or one of its descendants",
    });
  }
});

test.each([
  ["readFile", { path: "rel" }, -32600, "path must be absolute, but is rel"],
  ["readFile", { path: "/a\0b" }, -32600, "path must not contain a NUL character"],
  ["readFile", { path: "/no/such" }, -32603, "No such file or directory (os error 2): /no/such"],
  ["readFile", { path: "/dev/zero" }, -32600, "path `/dev/zero` is not a file"],
  ["readFile", { path: "/tmp/" }, -32600, "path `/tmp` is not a file"],
  ["readDirectory", { path: "/dev/null" }, -32603, "Not a directory (os error 20): /dev/null"],
  ["remove", { path: "/" }, -32600, "/ cannot be removed"],
  [
    "remove",
    { path: "/no/such", force: false },
    -32603,
    "No such file or directory (os error 2): /no/such",
  ],
  [
    "copy",
    { sourcePath: "/dev/null", destinationPath: "b" },
    -32600,
    "destinationPath must be absolute, but is b",
  ],
  [
    "writeFile",
    { path: "/no/such", dataBase64: "!" },
    -32600,
    "fs/writeFile requires valid base64 dataBase64, with padding",
  ],
])("fs/%s of %j is rejected", async (verb, params, code, message) => {
  await using scene = await start();

  await expect(scene.call(verb, params)).rejects.toMatchObject({ code, message });
});

test("reading a pipe does not block", async () => {
  await using scene = await start();
  const { call, at } = scene;
  execFileSync("mkfifo", [at("pipe")]);

  await expect(call("readFile", { path: at("pipe") })).rejects.toThrow("is not a file");
  await expect(call("writeFile", { path: at("pipe"), dataBase64: base64("x") })).rejects.toThrow(
    "is not a file",
  );
});

test("a watch reports changes in a folder and a replaced file", async () => {
  await using scene = await start();
  const { call, client, at } = scene;
  await mkdir(at("d"));
  await writeFile(at("file"), "");
  expect(await call("watch", { watchId: "d", path: at("d") })).toEqual({ path: at("d") });
  await call("watch", { watchId: "f", path: at("file") });
  await expect(call("watch", { watchId: "f", path: at("d") })).rejects.toThrow(
    "watchId already exists: f",
  );

  await writeFile(at("d", "new"), "");
  expect((await client.until("fs/changed")).params).toEqual({
    watchId: "d",
    changedPaths: [at("d", "new")],
  });
  await writeFile(at("other"), "");
  await rename(at("other"), at("file"));
  expect((await client.until("fs/changed")).params).toEqual({
    watchId: "f",
    changedPaths: [at("file")],
  });
  expect(await call("unwatch", { watchId: "d" })).toEqual({});
  expect(await call("unwatch", { watchId: "d" })).toEqual({});
  await call("watch", { watchId: "d", path: at("d") });
});
