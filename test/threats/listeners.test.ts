import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect as connectNet } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Listening, startListening, type Wire } from "./support/listening.js";

const clientInfo = { name: "t", title: "T", version: "1" };

/** Sends lines to a port or socket and prints the responses, for at most two seconds. */
const attacker = `
import socket, sys
try:
    if sys.argv[1].isdigit(): s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    else:
        s = socket.socket(socket.AF_UNIX)
        s.connect(sys.argv[1])
    s.settimeout(2)
    s.sendall(open("attack").read().encode())
    while True:
        got = s.recv(65536)
        if got == b"": break
        print(got.decode(), flush=True)
except OSError as e: print("refused", e)
`;

async function greet(wire: Wire): Promise<void> {
  expect(await wire.ask("hello", "initialize", { clientInfo })).toHaveProperty("result");
  wire.send({ jsonrpc: "2.0", method: "initialized" });
}

/** Messages that a command of ours would send to escape its sandbox. */
function attackOn({ root, workspace }: Listening, token: string | undefined): string {
  const mark = join(root, "PWN");
  const messages = [
    ...(token === undefined ? [] : [{ token }]),
    { id: 1, method: "initialize", params: { clientInfo } },
    { method: "initialized" },
    {
      id: 2,
      method: "command/exec",
      params: { command: ["touch", mark], sandboxPolicy: { type: "dangerFullAccess" } },
    },
  ];
  const text = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  writeFileSync(join(workspace, "attack"), text);
  return mark;
}

/** Runs the attack in a sandbox with network access, like commands of the model. */
async function attack(server: Listening, wire: Wire) {
  const { hostname, pathname, port } = new URL(server.url);
  return wire.ask("attack", "command/exec", {
    command: ["python3", "-c", attacker, hostname === "" ? pathname : port],
    cwd: server.workspace,
    timeoutMs: 15_000,
    sandboxPolicy: { type: "workspaceWrite", networkAccess: true, excludeSlashTmp: true },
  });
}

test.each([
  ["tcp", undefined],
  ["tcp", "s3cret-that-is-long-enough"],
  ["unix", undefined],
] as const)(
  "[security H2] a sandboxed command cannot use our own %s port, token %s",
  async (place, token) => {
    await using server = await startListening("app-server", place, {
      ...(token !== undefined && { args: ["--token-file", "../token"] }),
      furnish: (root) => writeFileSync(join(root, "token"), token ?? "", { mode: 0o600 }),
    });
    const wire = await server.join(token === undefined ? {} : { token });
    await greet(wire);
    const mark = attackOn(server, token);

    const answer = JSON.stringify(await attack(server, wire));

    expect(answer).toContain('"exitCode":0');
    expect(answer).not.toContain("userAgent");
    expect(existsSync(mark)).toBe(false);
  },
);

test("[security H2] nor does a command of another server", async () => {
  await using server = await startListening("app-server", "tcp");
  await using other = await startListening("app-server", "tcp");
  const wire = await other.join();
  await greet(wire);
  const mark = attackOn(server, undefined);
  writeFileSync(join(other.workspace, "attack"), readFileSync(join(server.workspace, "attack")));

  const answer = JSON.stringify(await attack({ ...other, url: server.url }, wire));

  expect(answer).toContain('"exitCode":0');
  expect(answer).not.toContain("userAgent");
  expect(existsSync(mark)).toBe(false);
});

test.each(["app-server", "proto"] as const)(
  "[security H1] a page that posts a long path to %s has no effect",
  async (surface) => {
    await using server = await startListening(surface, "tcp");
    const mark = attackOn(server, undefined);
    const body = `{"id":"1","op":{"type":"shutdown"}}\n{"id":2,"method":"command/exec","params":{"command":["touch",${JSON.stringify(mark)}],"sandboxPolicy":{"type":"dangerFullAccess"}}}\n`;
    const socket = connectNet(Number(new URL(server.url).port), "127.0.0.1");
    socket.on("error", () => {});

    socket.write(`POST /${"a".repeat(500)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${body}`);
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));

    expect(existsSync(mark)).toBe(false);
    const wire = await server.join();
    wire.send({ id: "x", op: { type: "get_path" }, method: "getUserAgent" });
    await wire.until(({ id }) => id === "x");
  },
);
