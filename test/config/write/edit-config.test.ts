import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { chmod, lstat, readdir, readlink, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { editConfig, versionOf } from "../../../src/config/index.js";
import { bundleProgram } from "../../support/bundle-program.js";
import { createTestHome } from "../support/home.js";

const commented = '# mine\nmodel = "a" # x\n\n[tui] # screen\nanimations = false\n';

test("an edit keeps comments, order and permissions, and returns the new version", async () => {
  await using machine = await createTestHome({ "home/config.toml": commented });
  const file = machine.path("home/config.toml");
  await chmod(file, 0o640);

  const result = await editConfig(file, [
    { path: ["model"], value: "b" },
    { path: ["tui", "notifications"], value: ["x"] },
  ]);

  expect(await machine.read("home/config.toml")).toBe(
    '# mine\nmodel = "b" # x\n\n[tui] # screen\nanimations = false\nnotifications = ["x"]\n',
  );
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  const values = { model: "b", tui: { animations: false, notifications: ["x"] } };
  expect(result).toEqual({ file, values, version: await versionOf(values) });
  expect(await readdir(machine.home)).toEqual(["config.toml"]);
});

test("a new file is the user's alone, and nothing is made when nothing changes", async () => {
  await using machine = await createTestHome();
  const file = machine.path("home/new/config.toml");

  await editConfig(file, [{ path: ["model"] }]);
  expect(await readdir(machine.path("home/new"))).toEqual([]);
  await editConfig(file, [{ path: ["model"], value: "a" }]);

  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a link stays a link, and what it leads to is changed", async () => {
  await using machine = await createTestHome({ "dotfiles/real.toml": 'model = "a"\n' });
  const file = machine.path("home/config.toml");
  await symlink("../link.toml", file);
  await symlink("dotfiles/real.toml", machine.path("link.toml"));

  const result = await editConfig(file, [{ path: ["model"], value: "b" }]);

  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await readlink(file)).toBe("../link.toml");
  expect(await machine.read("dotfiles/real.toml")).toBe('model = "b"\n');
  expect(result.file).toBe(machine.path("dotfiles/real.toml"));
});

describe("nothing is changed", () => {
  test("when the file is of another version than expected", async () => {
    await using machine = await createTestHome({ "home/config.toml": commented });
    const file = machine.path("home/config.toml");
    const expectedVersion = await versionOf(parse(commented));
    await editConfig(file, [{ path: ["model"], value: "b" }], { expectedVersion });

    const late = editConfig(file, [{ path: ["model"], value: "c" }], { expectedVersion });

    await expect(late).rejects.toMatchObject({
      code: "config",
      data: { reason: "version_conflict" },
    });
    expect((await machine.load()).model).toBe("b");
  });

  test("when a value is not of the type of its setting", async () => {
    await using machine = await createTestHome({ "home/config.toml": commented });
    const edits = [
      { path: ["model"], value: "b" },
      { path: ["sandbox_mode"], value: "nonsense" },
    ];

    await expect(editConfig(machine.path("home/config.toml"), edits)).rejects.toMatchObject({
      code: "config",
      message:
        '`sandbox_mode` must be one of read-only, workspace-write, danger-full-access, not "nonsense"',
      data: { reason: "type", key: ["sandbox_mode"] },
    });
    expect(await machine.read("home/config.toml")).toBe(commented);
  });

  test("when the file is no TOML", async () => {
    await using machine = await createTestHome({ "home/config.toml": "invalid = [unclosed" });

    await expect(
      editConfig(machine.path("home/config.toml"), [{ path: ["model"], value: "b" }]),
    ).rejects.toMatchObject({ code: "config", data: { reason: "parse" } });
    expect(await machine.read("home/config.toml")).toBe("invalid = [unclosed");
  });

  test("when the directory is not writable, with an error", async () => {
    await using machine = await createTestHome({ "home/file": "" });
    const file = machine.path("home/file/config.toml");

    await expect(editConfig(file, [{ path: ["model"], value: "b" }])).rejects.toMatchObject({
      code: "io",
      message: expect.stringContaining(`Cannot change ${file}: `),
    });
  });
});

test("a mistake elsewhere in the file does not keep it from being mended", async () => {
  await using machine = await createTestHome({ "home/config.toml": "model = 1\nprofile = 2\n" });
  const file = machine.path("home/config.toml");

  await editConfig(file, [{ path: ["model"], value: "b" }]);

  expect(await machine.read("home/config.toml")).toBe('model = "b"\nprofile = 2\n');
});

test("an upsert merges a table, a replacement leaves only what it has", async () => {
  await using machine = await createTestHome({ "home/config.toml": commented });
  const file = machine.path("home/config.toml");

  const merged = await editConfig(file, [{ path: ["tui"], value: { theme: "x" }, merge: true }]);
  const replaced = await editConfig(file, [{ path: ["tui"], value: { theme: "y" } }]);

  expect(merged.values.tui).toEqual({ animations: false, theme: "x" });
  expect(replaced.values.tui).toEqual({ theme: "y" });
});

describe("several programs", () => {
  test("that change a file at once lose nothing", async () => {
    await using machine = await createTestHome({ "home/config.toml": commented });
    const program = await bundleProgram(join(import.meta.dirname, "writer.ts"), machine.root);
    const file = machine.path("home/config.toml");
    const names = ["a", "b", "c"];

    const codes = await Promise.all(names.map((name) => startWriter(program, file, name, 12).exit));

    expect(codes).toEqual([0, 0, 0]);
    const text = await machine.read("home/config.toml");
    const values = parse(text) as { projects: object; profiles: object };
    expect(values.profiles).toEqual({
      a: { model: "m12" },
      b: { model: "m12" },
      c: { model: "m12" },
    });
    expect(Object.keys(values.projects)).toHaveLength(36);
    expect(text.startsWith(commented)).toBe(true);
    expect(await readdir(machine.home)).toEqual(["config.toml"]);
  });

  test("that are killed while they write leave a complete file and no lock", async () => {
    await using machine = await createTestHome({ "home/config.toml": commented });
    const program = await bundleProgram(join(import.meta.dirname, "writer.ts"), machine.root);
    const file = machine.path("home/config.toml");

    for (const round of [1, 2, 3, 4, 5]) {
      const writer = startWriter(program, file, `k${round}`, 1000);
      const told = await writer.until(round * 3);
      writer.child.kill("SIGKILL");
      await writer.exit;

      const values = parse(await machine.read("home/config.toml")) as {
        profiles: Record<string, { model: string }>;
      };
      const written = Number(values.profiles[`k${round}`]?.model.slice(1));
      expect(written).toBeGreaterThanOrEqual(told);
    }
    await editConfig(file, [{ path: ["model"], value: "after" }]);

    expect((await machine.read("home/config.toml")).split("\n")[1]).toBe('model = "after" # x');
    expect(await readdir(machine.home)).toEqual(["config.toml"]);
  });

  test("that know nothing of the lock are not overwritten", async () => {
    await using machine = await createTestHome({ "home/config.toml": commented });
    const file = machine.path("home/config.toml");
    let looked = 0;

    await editConfig(file, () => {
      // An editor saves between our look at the file and its replacement.
      if (looked++ === 0) writeFileSync(file, 'model = "theirs"\n');
      return [{ path: ["profile"], value: "p" }];
    });

    expect(await machine.read("home/config.toml")).toBe('model = "theirs"\nprofile = "p"\n');
    expect(looked).toBe(2);
  });
});

function startWriter(program: string, file: string, name: string, count: number) {
  const args = [program, file, name, String(count)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let told = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    told = Math.max(told, ...text.trim().split("\n").map(Number));
  });
  return {
    child,
    exit: once(child, "exit").then(([code]) => code as number | null),
    /** Waits until it has made that many changes; returns the reported number. */
    async until(number: number): Promise<number> {
      while (told < number) await once(child.stdout, "data");
      return told;
    },
  };
}
