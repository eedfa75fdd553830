import { once } from "node:events";
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { createCertificate } from "../../../src/transport/web/certificate.js";
import { createInProcessUser } from "../support/in-process.js";
import { createUser } from "../support/run-quire.js";
import { spawnQuire } from "../support/spawn-quire.js";

test("a device pairs, speaks v2 in the current directory, and is revoked by another process", async () => {
  using user = createUser();
  await using server = spawnQuire(user, ["web"]);
  const { url, code } = addressIn(await firstLine(server.child.stdout));
  const cookie = await pair(url, code, "Test phone");
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers: { cookie } });
  await once(socket, "open");
  const ask = async (id: number, method: string, params: object) => {
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const message = JSON.parse(String((await once(socket, "message"))[0]));
      if (message.id === id) return message.result;
    }
  };
  const clientInfo = { name: "t", version: "1" };

  const { codexHome } = await ask(1, "initialize", { clientInfo });
  const { cwd } = await ask(2, "thread/start", {});
  const fresh = addressIn((await user.run(["web", "pair"])).stdout);
  const [device] = JSON.parse((await user.run(["web", "devices", "--json"])).stdout);
  const closed = once(socket, "close");
  const revoked = await user.run(["web", "devices", "revoke", device.id]);

  expect(codexHome).toBe(user.home);
  expect(realpathSync(cwd)).toBe(realpathSync(user.project));
  expect(fresh.url).toBe(url);
  expect(fresh.code).not.toBe(code);
  expect(Object.keys(device)).toEqual(["id", "name", "created", "lastSeen"]);
  expect(device.name).toBe("Test phone");
  expect(revoked.code).toBe(0);
  await closed;
  expect((await user.run(["web", "devices", "revoke", device.id])).code).toBe(1);
  await pair(fresh.url, fresh.code, "Another");

  server.child.kill("SIGTERM");
  await server.exit;
  expect(existsSync(join(user.home, "quire/web/server.json"))).toBe(false);
  const late = await user.run(["web", "pair"]);
  expect(late.code).toBe(1);
  expect(late.stderr).toContain("start one with `quire web`");
  expect((await user.run(["web", "devices"])).stdout).toContain("Another");
});

test("with a certificate the address is https and the cookie is secure", async () => {
  using user = createUser();
  const { cert, key } = createCertificate();
  writeFileSync(join(user.project, "cert.pem"), cert);
  writeFileSync(join(user.project, "key.pem"), key, { mode: 0o600 });
  const tls = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
  await using server = spawnQuire(user, ["web", "--listen", "0.0.0.0:0", ...tls]);
  const { url, code } = addressIn(await firstLine(server.child.stdout));
  const { request } = await import("node:https");
  const { port } = new URL(url);
  const headers = { "content-type": "application/json", host: `127.0.0.1:${port}` };
  const asking = request({ port, ca: cert, path: "/pair", method: "POST", headers });
  asking.end(JSON.stringify({ code, name: "x" }));
  const [answer] = await once(asking, "response");

  expect(url).toMatch(/^https:\/\/(?!0\.0\.0\.0)/);
  expect(answer.statusCode).toBe(204);
  expect(String(answer.headers["set-cookie"])).toContain("; Secure");
});

test("a self-signed certificate is created once, and its fingerprint is printed", async () => {
  using user = createUser();
  const args = ["web", "--listen", "0.0.0.0:0", "--tls-self-signed"];
  const fingerprints: string[] = [];
  for (let start = 0; start < 2; start++) {
    await using server = spawnQuire(user, args);
    const { url } = addressIn(await firstLine(server.child.stdout));
    const { port, hostname } = new URL(url);
    const { connect } = await import("node:tls");
    const socket = connect({ port: Number(port), host: "127.0.0.1", rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const certificate = socket.getPeerX509Certificate();
    socket.destroy();
    expect(certificate?.checkIP(hostname)).toBe(hostname);
    fingerprints.push(certificate?.fingerprint256 ?? "");
    const { stderr } = await user.run(["web", "pair"]);
    expect(stderr).toContain(certificate?.fingerprint256);
  }

  expect(fingerprints[0]).toBe(fingerprints[1]);
  expect(statSync(join(user.home, "quire/web/tls/key.pem")).mode & 0o777).toBe(0o600);
});

test.each([
  ["an address of the network", ["--listen", "0.0.0.0:0"], /--tls-cert.*--plain-http/],
  ["a name of the network", ["--listen", "example.com:80"], /--tls-cert.*--plain-http/],
  ["no port", ["--listen", "127.0.0.1"], /HOST:PORT/],
  ["a URL", ["--listen", "http://127.0.0.1:0"], /HOST:PORT/],
  ["a certificate alone", ["--tls-cert", "x"], /--tls-cert and --tls-key/],
  ["a missing certificate", ["--tls-cert", "x", "--tls-key", "x"], /Cannot read --tls-cert x/],
  [
    "two certificates",
    ["--tls-cert", "package.json", "--tls-key", "package.json", "--tls-self-signed"],
    /--tls-/,
  ],
  ["an operand", ["x"], /x/],
])("%s is a usage error that names the options", async (_, args, expected) => {
  using user = createInProcessUser();
  const ran = await user.run(["web", ...args]);

  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(expected);
});

test("on a terminal the address is also a QR code", async () => {
  using user = createInProcessUser();
  const { announceServer } = await import("../../../src/cli/commands/web/running-server.js");
  await announceServer(join(user.home, "quire/web"), { url: "http://127.0.0.1:4500" });
  const ran = await user.run(["web", "pair"], { isTTY: true });

  expect(addressIn(ran.stdout).url).toBe("http://127.0.0.1:4500");
  expect(ran.stdout).toContain("█");
  expect(readFileSync(join(user.home, "quire/web/server.json"), "utf8")).toContain("4500");
});

async function firstLine(output: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of output ?? []) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  return text;
}

function addressIn(text: string): { url: string; code: string } {
  const [, url = "", code = ""] = /^(https?:\/\/\S+)\/#pair=(\w+)$/m.exec(text) ?? [];
  return { url, code };
}

async function pair(url: string, code: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/pair`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, name }),
  });
  expect(answer.status).toBe(204);
  return String(answer.headers.get("set-cookie")).split(";")[0] ?? "";
}
