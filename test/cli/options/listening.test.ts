import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { defineCommand } from "../../../src/cli/command.js";
import { UsageError } from "../../../src/cli/exit-codes.js";
import { type ListenValues, listenOptions } from "../../../src/cli/options/listen-options.js";
import {
  controlSocket,
  explained,
  isStdio,
  toListening,
} from "../../../src/cli/options/listening.js";
import { parseCommand } from "../../../src/cli/parse.js";
import { TransportError } from "../../../src/transport/error.js";
import { createInProcessUser } from "../support/in-process.js";

const user = createInProcessUser();
afterAll(() => user[Symbol.dispose]());
user.write("project/cert.pem", "CERT");
user.write("project/key.pem", "KEY");

const command = defineCommand({
  name: "app-server",
  summary: "Run",
  options: listenOptions,
  run: async () => 0,
});

function parse(args: string[]): ListenValues {
  return parseCommand(command, args).values as unknown as ListenValues;
}

/** Resolves the options of a listener. */
function listening(args: string[]) {
  return toListening(parse(args), { env: { CODEX_HOME: user.home }, cwd: user.project });
}

const file = (name: string) => join(user.project, name);
const ws = ["--listen", "ws://127.0.0.1:0"];

describe("the address of a listener", () => {
  test.each([
    [[], "stdio://"],
    [["--stdio", ...ws], "stdio://"],
    [["--listen", "stdio:"], "stdio://"],
    [["--listen", "ipc://"], "ipc://"],
    [ws, "ws://127.0.0.1:0"],
    [["--listen", "unix:///run/x.sock"], "unix:///run/x.sock"],
  ])("of %j is %s", async (args, url) => {
    expect(await listening(args)).toEqual({ url, access: {}, secretFiles: [] });
  });

  test("of unix:// is the socket in the home directory", async () => {
    expect((await listening(["--listen", "unix://"])).url).toBe(
      `unix://${controlSocket(user.home)}`,
    );
  });

  test.each([
    [[], true],
    [["--stdio"], true],
    [ws, false],
    [["--listen", "ipc://"], false],
  ])("of %j is stdio: %s", (args, is) => {
    expect(isStdio(parse(args))).toBe(is);
  });
});

describe("access to a listener", () => {
  test.each([
    [["--token-file", "t"], { token: { file: file("t") } }, [file("t")]],
    [["--ws-token-file", "/t"], { token: { file: "/t" } }, ["/t"]],
    [["--token-sha256", "ab"], { token: { sha256: "ab" } }, []],
    [
      ["--jwt-secret-file", "s", "--jwt-issuer", "i", "--jwt-audience", "a"],
      { token: { signed: { key: { secretFile: file("s") }, issuer: "i", audience: "a" } } },
      [file("s")],
    ],
    [
      ["--jwt-key-file", "k", "--jwt-clock-skew", "30"],
      { token: { signed: { key: { publicKeyFile: file("k") }, clockSkewSeconds: 30 } } },
      [],
    ],
    [
      ["--tls-cert", "cert.pem", "--tls-key", "key.pem"],
      { tls: { cert: "CERT", key: "KEY" } },
      [file("key.pem")],
    ],
    [
      ["--allow-origin", "https://a", "--allow-origin", "https://b", "--allow-host", "h"],
      { allowOrigins: ["https://a", "https://b"], allowHosts: ["h"] },
      [],
    ],
  ])("%j", async (args, access, secretFiles) => {
    expect(await listening([...ws, ...args])).toEqual({
      url: "ws://127.0.0.1:0",
      access,
      secretFiles,
    });
  });

  test.each([
    [["--token-file", "t"], "Standard input has a single client"],
    [["--listen", "ipc://", "--allow-host", "h"], "An IPC channel has a single client"],
    [[...ws, "--token-file", "t", "--token-sha256", "x"], "cannot be used together"],
    [[...ws, "--jwt-secret-file", "s", "--jwt-key-file", "k"], "cannot be used together"],
    [[...ws, "--jwt-issuer", "i"], "require --jwt-secret-file or --jwt-key-file"],
    [[...ws, "--jwt-clock-skew", "5"], "require --jwt-secret-file or --jwt-key-file"],
    [
      [...ws, "--jwt-secret-file", "s", "--jwt-clock-skew", "soon"],
      "Expected --jwt-clock-skew to be a number of seconds (got soon)",
    ],
    [[...ws, "--tls-cert", "c"], "TLS requires both --tls-cert and --tls-key"],
    [[...ws, "--tls-key", "k"], "TLS requires both --tls-cert and --tls-key"],
  ])("%j is rejected", async (args, message) => {
    await expect(listening(args)).rejects.toThrow(message);
    await expect(listening(args)).rejects.toBeInstanceOf(UsageError);
  });
});

describe("an error of a listener", () => {
  test.each([
    ["not_private", "needs a token (--token-file FILE, --tls-cert and --tls-key)"],
    ["bad_url", "needs a token"],
    ["bad_token", "needs a token"],
  ] as const)("%s is a usage error", async (code, message) => {
    const failing = explained(() => Promise.reject(new TransportError(code, "needs a token")));

    await expect(failing).rejects.toBeInstanceOf(UsageError);
    await expect(failing).rejects.toThrow(message);
  });

  test("of another kind is an io error, and others stay as they are", async () => {
    const broken = explained(() => Promise.reject(new TransportError("in_use", "gone")));
    const bug = new Error("bug");

    await expect(broken).rejects.toMatchObject({ code: "io", message: "gone" });
    await expect(explained(() => Promise.reject(bug))).rejects.toBe(bug);
  });
});
