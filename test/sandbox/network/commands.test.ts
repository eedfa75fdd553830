import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { createServer as createWebServer } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FileRule } from "../../../src/protocol/permission-rules.js";
import { describeConfined, type How } from "../support/confined.js";
import { writeCallProgram } from "../support/program.js";
import { attemptsProgram } from "./attempts.js";
import { hosts, rules, startServer, startWebServer } from "./support.js";

const files: readonly FileRule[] = [
  { place: { type: "special", name: "root" }, access: "read" },
  { place: { type: "special", name: "workspace_roots" }, access: "write" },
];
const how: How = { rules: { files, network: rules }, hosts };

describeConfined("network rules", (confined) => {
  test("a command reaches an allowed domain, and gets the reason for others", async () => {
    const scene = confined().scene();
    await using web = await startWebServer();
    const url = (name: string) => `http://${name}:${web.port}`;

    const result = await confined().sh(
      scene,
      `curl -sS ${url("good.test")}/a; curl -sS ${url("denied.test")}/b; curl -sSp ${url("good.test")}/c; curl -sS -x socks5h://127.0.0.1:3128 ${url("good.test")}/d`,
      how,
    );

    expect(result.stderr).toBe("");
    expect(result.stdout).toBe(
      [
        `GET /a good.test:${web.port} `,
        'Blocked by the network rules: denied.test is denied by "denied.test" = "deny".',
        `GET /c good.test:${web.port} `,
        `GET /d good.test:${web.port} `,
        "",
      ].join("\n"),
    );
    expect(result.exitCode).toBe(0);
  });

  test("no way around the proxy reaches the host", async () => {
    const scene = confined().scene();
    let requests = 0;
    const web = createWebServer((request, response) => {
      requests++;
      if (request.url === "/moved") response.writeHead(302, { Location: "http://denied.test/" });
      response.end("SECRET");
    });
    web.listen(0, "0.0.0.0");
    await once(web, "listening");
    const udp = createSocket("udp4");
    let datagrams = 0;
    udp.on("message", () => datagrams++).bind(0, "0.0.0.0");
    await once(udp, "listening");
    const unixPath = join(scene.base, "s.sock");
    const abstractName = `quire-${process.pid}-${confined().identity}`;
    const unix = [unixPath, `\0${abstractName}`].map((path) => createServer().listen(path));
    await Promise.all(unix.map((server) => once(server, "listening")));
    chmodSync(unixPath, 0o777);
    let unixConnections = 0;
    for (const server of unix) server.on("connection", () => unixConnections++);
    const address = web.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const hostAddress =
      Object.values(networkInterfaces())
        .flat()
        .find((found) => found?.family === "IPv4" && !found.internal)?.address ?? "127.0.0.4";
    const program = join(scene.ws, "attempts.cjs");
    const targets = { port, udpPort: udp.address().port, hostAddress, unixPath, abstractName };
    writeFileSync(program, attemptsProgram(targets));

    const { stdout } = await confined().run(scene, ["node", program], how);

    const results = Object.fromEntries(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split(": ")),
    );
    const reached = Object.keys(results).filter((what) => results[what] === "reached");
    expect(Object.keys(results).length).toBeGreaterThanOrEqual(45);
    expect(reached).toEqual(["an allowed name"]);
    expect(results).toMatchObject({
      "a Unix socket of the host": "EPERM",
      "an abstract Unix socket of the host": "EPERM",
      "TCP to loopback of the host": "ECONNREFUSED",
      "TCP to the internet": "ENETUNREACH",
      "a denied name in upper case with a dot": "HTTP/1.1 403 Blocked by network rules",
      "a name for an address that is not listed": "HTTP/1.1 403 Blocked by network rules",
      "CONNECT to a loopback address": "HTTP/1.1 403 Blocked by network rules",
      "SOCKS5 to a denied name": "reply 2",
      "SOCKS5 for UDP": "reply 7",
      "huge headers": "HTTP/1.1 431 Request Header Fields Too Large",
    });
    // The allowed name, and the request that was redirected.
    expect([requests, datagrams, unixConnections]).toEqual([2, 0, 0]);
    for (const server of [web, udp, ...unix]) server.close();
  });

  test.runIf(process.arch === "x64")("no other kind of socket can be had", async () => {
    const scene = confined().scene();
    const [socket, EPERM] = [41, 1];
    const kinds = { unix: 1, packet: 17, bluetooth: 31, alg: 38, vsock: 40, xdp: 44 };
    const programs = Object.entries(kinds).map(([name, family]) => {
      const program = join(scene.ws, name);
      writeCallProgram(program, socket, [family, 1, 0]);
      return `${program}; echo $?`;
    });

    const { stdout } = await confined().sh(scene, programs.join("; "), how);

    expect(stdout).toBe(`${EPERM}\n`.repeat(programs.length));
  });

  test("the command gets no descriptor and no variable of the hand-over, and no other process", async () => {
    const scene = confined().scene();

    const { stdout } = await confined().sh(
      scene,
      "ls -l /proc/self/fd | grep -- -\\> | grep -vc /dev/null; env | grep -c NODE_CHANNEL; ls -d /proc/[0-9]* | wc -l; printf %s $http_proxy,$NO_PROXY",
      how,
    );

    // Two pipes, and that of `ls` for the directory; the processes are bubblewrap, the shell, ls and wc.
    expect(stdout).toBe("3\n0\n4\nhttp://127.0.0.1:3128,localhost,127.0.0.1,::1");
  });

  test("a server of the command is reached by the command", async () => {
    const scene = confined().scene();
    const program = `const http = require("http");
      http.createServer((_, response) => response.end("own")).listen(8080, "127.0.0.1", () =>
        require("child_process").execFile("curl", ["-s", "http://localhost:8080/"], (_, text) => {
          console.log(text); process.exit(); }));`;

    const { stdout } = await confined().run(scene, ["node", "-e", program], how);

    expect(stdout).toBe("own\n");
  });

  test("300 connections at once are all served, and the proxy works afterwards", async () => {
    const scene = confined().scene();
    await using web = await startWebServer();
    const program = `const request = "GET http://good.test:${web.port}/ HTTP/1.1\\r\\nHost: good.test\\r\\nConnection: close\\r\\n\\r\\n";
      const one = () => new Promise((resolve) => {
        const socket = require("net").connect(3128, "127.0.0.1", () => socket.write(request));
        let text = "";
        socket.on("data", (part) => { text += part; }).on("error", () => {}).on("close", () => resolve(/ 200 /.test(text)));
      });
      Promise.all(Array.from({ length: 300 }, one)).then(async (all) => console.log(all.filter(Boolean).length, await one()));`;

    const { stdout } = await confined().run(scene, ["node", "-e", program], how);

    expect(stdout).toBe("300 true\n");
  });

  test("the end of a command ends its connections and what it left running, and frees all descriptors", async () => {
    const scene = confined().scene();
    await using held = await startServer(
      (socket) => void socket.resume().on("end", () => socket.end()),
    );
    const run = () =>
      confined().sh(
        scene,
        `(sleep 1000 & curl -sNp http://good.test:${held.port}/ & exec 2>/dev/null; while ! ss -tn | grep -q 3128; do :; done) >/dev/null 2>&1; kill -9 $$`,
        how,
      );
    await run();
    const before = descriptorsOf(confined().process.pid);

    for (let round = 0; round < 3; round++) await run();

    await expect.poll(() => held.open).toBe(0);
    await expect.poll(() => descriptorsOf(confined().process.pid)).toBe(before);
  });

  test("rules without network, or with all of it, do not start a proxy", async () => {
    const scene = confined().scene();
    const script = "env | grep -ci proxy; true";
    const on = { rules: { files, network: { enabled: true } } };
    const off = { rules: { files, network: { ...rules, enabled: false } } };

    expect((await confined().sh(scene, script, on)).stdout).toBe("0\n");
    expect((await confined().sh(scene, script, off)).stdout).toBe("0\n");
  });

  test("under rules that let almost nothing be read, the network still works", async () => {
    const scene = confined().scene();
    await using web = await startWebServer();
    const minimal: readonly FileRule[] = [
      { place: { type: "special", name: "minimal" }, access: "read" },
      { place: { type: "special", name: "workspace_roots" }, access: "write" },
    ];

    const { stdout } = await confined().sh(scene, `curl -sS http://good.test:${web.port}/`, {
      hosts,
      rules: { files: minimal, network: rules },
    });

    expect(stdout).toBe(`GET / good.test:${web.port} \n`);
  });

  test("if the proxy cannot be set up, the command does not run", async () => {
    const scene = confined().scene();
    const noNode: FileRule = { place: { type: "path", path: process.execPath }, access: "deny" };

    const result = await confined().sh(scene, "touch ran", {
      hosts,
      rules: { files: [...files, noNode], network: rules },
    });

    expect(result.failure).toMatchObject({ kind: "sandbox" });
    expect(result.stderr).toContain("the network proxy could not be started in the sandbox");
    expect(readdirSync(scene.ws)).not.toContain("ran");
  });
});

function descriptorsOf(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
