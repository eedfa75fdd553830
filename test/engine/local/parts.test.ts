import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLocalParts, type LocalParts } from "../../../src/engine/local/parts.js";
import type { SettingsFollower } from "../../../src/engine/parts.js";

function startParts(options = {}): { parts: LocalParts; home: string } {
  const home = mkdtempSync(join(tmpdir(), "quire-parts-"));
  const parts = createLocalParts({ env: { HOME: home, CODEX_HOME: home }, cwd: home, ...options });
  onTestFinished(async () => {
    await parts.close();
    rmSync(home, { recursive: true, force: true });
  });
  return { parts, home };
}

describe("createLocalParts", () => {
  test("opens nothing before it is needed", () => {
    const { machine } = startParts().parts;

    expect(machine.mcpPool.created).toBeUndefined();
    expect(machine.loginShells.created).toBeUndefined();
    expect(machine.givenTokens.created).toBeUndefined();
  });

  test("an op selects the model, the profile and the folder of the config", async () => {
    const { parts, home } = startParts();

    const config = await parts.loadConfig({
      type: "configure_session",
      model: "my-model",
      cwd: tmpdir(),
      config: { approval_policy: "never" },
    });

    expect(config).toMatchObject({
      home,
      cwd: tmpdir(),
      model: "my-model",
      approval_policy: "never",
    });
  });

  test("an embedding program is the source and the originator of its threads", () => {
    const host = { source: "exec", originator: "my_program", isClient: false } as const;

    expect(startParts({ host }).parts).toMatchObject({
      source: "exec",
      originator: "my_program",
    });
    expect(startParts().parts.source).toBe("cli");
  });

  test("an unknown era is refused with the known ones", () => {
    expect(() => createLocalParts({ env: {}, cwd: "/", era: "9.9" as never })).toThrow(/"9\.9"/);
  });

  test("a new log starts with its meta line and can be resumed only after it was closed", async () => {
    const { parts, home } = startParts();
    const meta = { id: parts.newId(), cwd: home } as never;
    const options = { home, onFailure() {} };
    const log = parts.openLog(meta, options);
    const { path = "" } = log;
    const id = (meta as { id: string }).id;

    expect(() => parts.resumeLog({ id, path }, options)).toThrow();
    log.append({ type: "response_item", payload: { type: "other" } as never });
    await log.close();
    const resumed = parts.resumeLog({ id, path }, options);
    await resumed.close();

    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(["session_meta", "response_item"]);
  });

  test("followers are added and removed", () => {
    const { parts } = startParts();
    const follower: SettingsFollower = { prepare: async () => () => {} };

    const stop = parts.follow(follower);
    expect([...parts.machine.followers]).toEqual([follower]);
    stop();

    expect(parts.machine.followers.size).toBe(0);
  });

  test("without servers a session has no MCP tools", async () => {
    const { parts } = startParts();
    const config = await parts.loadConfig({ type: "configure_session" });
    const emitted: unknown[] = [];

    const mcp = await parts.startMcp(config, {
      emit: (msg) => emitted.push(msg),
      answer: async () => ({ action: "decline" }),
    });

    expect(mcp.tools).toBeUndefined();
    expect(await mcp.listTools()).toEqual({});
    await mcp.started;
    await mcp.close();
    expect(parts.machine.mcpPool.created).toBeUndefined();
  });
});
