import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  codexHome,
  readInstallationId,
  systemFolder,
  userHome,
} from "../../../src/config/layers/home.js";
import { createTestHome } from "../support/home.js";

describe("the home directory", () => {
  test.each([
    [{ HOME: "/h" }, "/h/.codex"],
    [{ HOME: "/h", CODEX_HOME: "" }, "/h/.codex"],
    [{}, join(homedir(), ".codex")],
  ])("of %j is %s", (env, home) => {
    expect(codexHome(env)).toBe(home);
  });

  test("is CODEX_HOME if that is a directory", async () => {
    await using machine = await createTestHome({ "home/file": "" });

    expect(codexHome({ CODEX_HOME: machine.home })).toBe(machine.home);
    for (const wrong of ["none", "home/file"]) {
      expect(() => codexHome({ CODEX_HOME: machine.path(wrong) })).toThrow(
        /CODEX_HOME is .* which is not a directory: create it or unset CODEX_HOME/,
      );
    }
  });

  test("of the user is HOME, otherwise that of the system", () => {
    expect(userHome({ HOME: "/h" })).toBe("/h");
    expect(userHome({ HOME: "" })).toBe(homedir());
  });

  test.skipIf(process.platform === "win32")("of the system is /etc/codex", () => {
    expect(systemFolder({})).toBe("/etc/codex");
  });
});

describe("the installation id", () => {
  test("is created once, private, and stays", async () => {
    await using machine = await createTestHome();
    const [first, second] = await Promise.all([
      readInstallationId(machine.home),
      readInstallationId(machine.home),
    ]);
    const third = await readInstallationId(machine.home);

    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(await machine.read("home/installation_id")).toBe(first);
  });

  test("of the file is trimmed, and an empty file is no id", async () => {
    await using machine = await createTestHome({ "home/installation_id": " known\n" });
    const known = await readInstallationId(machine.home);
    await writeFile(machine.path("home/installation_id"), "\n");
    const other = await readInstallationId(machine.home);

    expect(known).toBe("known");
    expect(other).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("creates the home directory, and works without one that is writable", async () => {
    await using machine = await createTestHome({ file: "" });
    await rm(machine.home, { recursive: true });
    const id = await readInstallationId(machine.home);
    const nowhere = await readInstallationId(machine.path("file/below"));

    expect(await readFile(join(machine.home, "installation_id"), "utf8")).toBe(id);
    expect(nowhere).toMatch(/^[0-9a-f-]{36}$/);
    await chmod(machine.home, 0o700);
  });
});
