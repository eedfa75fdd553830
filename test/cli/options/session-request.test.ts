import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Command } from "../../../src/cli/command.js";
import { sessionOptions } from "../../../src/cli/options/session-options.js";
import { toSessionRequest } from "../../../src/cli/options/session-request.js";
import { parseCommand } from "../../../src/cli/parse.js";

const home = mkdtempSync(join(tmpdir(), "quire-session-"));
mkdirSync(join(home, "project"));
mkdirSync(join(home, "more"));
writeFileSync(join(home, "a.png"), "");
writeFileSync(join(home, "b.png"), "");
writeFileSync(
  join(home, "config.toml"),
  `[sandbox_workspace_write]\nwritable_roots = ["/own"]\n[profiles.work]\nmodel = "m"\n`,
);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const command: Command = {
  name: "exec",
  summary: "",
  operands: "[PROMPT]",
  options: sessionOptions,
  run: async () => 0,
};

function request(args: string[], env: Record<string, string> = {}) {
  const { values } = parseCommand(command, args);
  const io = { cwd: home, env: { HOME: home, CODEX_HOME: home, ...env } };
  return toSessionRequest(values as never, io);
}

const plain = {
  thread: { cwd: home, config: {} },
  images: [],
  remote: undefined,
  bypassesHookTrust: false,
};

describe("the options of a conversation", () => {
  test.each([
    [[], {}],
    [["-m", "gpt-5"], { model: "gpt-5" }],
    [["-p", "work"], { config: { profile: "work" } }],
    [["-s", "read-only", "-a", "never"], { sandbox: "read-only", approvalPolicy: "never" }],
    [["--full-auto"], { sandbox: "workspace-write", approvalPolicy: "on-request" }],
    [["--full-auto", "-a", "never"], { sandbox: "workspace-write", approvalPolicy: "never" }],
    [["--yolo"], { sandbox: "danger-full-access", approvalPolicy: "never" }],
    [["--search"], { config: { web_search: "live" } }],
    [["-C", "project"], { cwd: join(home, "project") }],
    [
      ["-c", "a.b=1", "-c", "x=text", "-c", `"a.c".d=[true]`, "-c", "a.b=2"],
      { config: { x: "text", '"a.c".d': [true], "a.b": 2 } },
    ],
    [
      ["--enable", "steer", "--disable", "web_search"],
      { config: { "features.steer": true, "features.web_search_request": false } },
    ],
    [
      ["--add-dir", "more"],
      { config: { "sandbox_workspace_write.writable_roots": ["/own", join(home, "more")] } },
    ],
  ])("%j are what thread/start is sent", async (args, thread) => {
    expect(await request(args)).toEqual({ ...plain, thread: { ...plain.thread, ...thread } });
  });

  test("pictures may stand one by one or with commas between them", async () => {
    const files = [join(home, "a.png"), join(home, "b.png")];

    expect((await request(["-i", "a.png,b.png"])).images).toEqual(files);
    expect((await request(["-i", "a.png", "--image", "b.png"])).images).toEqual(files);
  });

  test("a remote server gets paths as they are and a token from the environment", async () => {
    const args = ["--remote", "ws://h:1", "--remote-auth-token-env", "T", "-C", "/far", "--oss"];

    expect(await request(args, { T: "secret" })).toEqual({
      thread: { cwd: "/far", config: {} },
      images: [],
      remote: { url: "ws://h:1", token: "secret" },
      bypassesHookTrust: false,
    });
  });

  test.each([
    [["-C", "nowhere"], /Expected --cd to be a directory \(got .*nowhere\)/],
    [["-i", "nowhere.png"], /--image: no such file: .*nowhere\.png/],
    [["--enable", "stear"], /Did you mean steer\?/],
    [["-c", "novalue"], /Expected -c KEY=VALUE/],
    [["--yolo", "-a", "never"], /cannot be used together/],
    [["--remote-auth-token-env", "T"], /requires --remote/],
    [["--remote", "ws://h:1", "--remote-auth-token-env", "T"], /T is not set/],
  ])("%j are refused in words that help", async (args, words) => {
    await expect(request(args)).rejects.toThrow(words);
  });

  test("a value that is none of the choices is refused with the nearest", () => {
    expect(() => parseCommand(command, ["-s", "readonly"])).toThrow(/Did you mean read-only\?/);
    expect(() => parseCommand(command, ["--modle", "x"])).toThrow(/Did you mean --model\?/);
  });

  test("--oss takes a model of a server on this machine", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: [{ id: "embedder" }, { id: "gpt-oss:20b" }] }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

    const { thread } = await request(["--oss"], { CODEX_OSS_BASE_URL: base });
    server.close();

    expect(thread).toMatchObject({
      model: "gpt-oss:20b",
      modelProvider: "local-oss",
      config: { "model_providers.local-oss": { base_url: base } },
    });
  });

  test("--oss without a server names the servers to start", async () => {
    const env = { CODEX_OSS_BASE_URL: "http://127.0.0.1:9/v1" };

    await expect(request(["--oss"], env)).rejects.toThrow(/no local model server responds/);
  });
});
