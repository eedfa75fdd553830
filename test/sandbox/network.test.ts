import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, mkdirSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeConfined } from "./support/confined.js";
import { writeCallProgram } from "./support/program.js";

describeConfined("network", (confined) => {
  const on = { policy: { network_access: true } };

  test("a listener on the host receives nothing without network", async () => {
    const scene = confined().scene();
    await using tcp = await listen(createServer(), { host: "127.0.0.1", port: 0 });

    const result = await confined().run(scene, connectTo({ host: "127.0.0.1", port: tcp.port }));

    expect(result.stdout).toMatch(/^(EPERM|ENETUNREACH|ECONNREFUSED)\n$/);
    expect(tcp.connections).toBe(0);
  });

  test("with network a listener on the host is reached", async () => {
    const scene = confined().scene();
    await using tcp = await listen(createServer(), { host: "127.0.0.1", port: 0 });

    const result = await confined().run(
      scene,
      connectTo({ host: "127.0.0.1", port: tcp.port }),
      on,
    );

    expect(result.stdout).toBe("connected\n");
    expect(tcp.connections).toBe(1);
  });

  test("no datagram leaves without network", async () => {
    const scene = confined().scene();
    const udp = createSocket("udp4");
    let received = 0;
    udp.on("message", () => received++);
    udp.bind(0, "127.0.0.1");
    await once(udp, "listening");

    const result = await confined().run(scene, [
      "node",
      "-e",
      `const s = require("dgram").createSocket("udp4"); s.on("error", (e) => console.log(e.code));
       s.send("x", ${udp.address().port}, "127.0.0.1", (e) => { console.log(e?.code ?? "sent"); process.exit(); });`,
    ]);

    expect(result.stdout).not.toContain("sent");
    expect(received).toBe(0);
    udp.close();
  });

  test.each([{}, on])("a socket in the file system is not reached, policy %j", async (how) => {
    const scene = confined().scene();
    const directory = join(scene.base, "run");
    mkdirSync(directory);
    const path = join(directory, "docker.sock");
    await using unix = await listen(createServer(), { path });
    chmodSync(directory, 0o777);
    chmodSync(path, 0o777);

    const result = await confined().run(scene, connectTo({ path }), how);

    expect(result.stdout).toBe("EPERM\n");
    expect(unix.connections).toBe(0);
  });

  test.runIf(process.arch === "x64")(
    "[security H10] with network a pair of datagram sockets, which could reach any other, cannot be had",
    async () => {
      const scene = confined().scene();
      const [socketpair, AF_UNIX, SOCK_STREAM, SOCK_DGRAM, EPERM] = [53, 1, 1, 2, 1];
      const open = async (type: number, options = {}) => {
        const program = join(scene.ws, `pair-${type}`);
        writeCallProgram(program, socketpair, [AF_UNIX, type, 0, "________"]);
        return (await confined().run(scene, [program], { ...on, options })).exitCode;
      };

      expect(await open(SOCK_DGRAM)).toBe(EPERM);
      expect(await open(SOCK_STREAM)).not.toBe(EPERM);
      expect(await open(SOCK_DGRAM, { allowUnixSockets: true })).not.toBe(EPERM);
    },
  );

  test("a Unix socket is reached when the user allows it, but not in a masked directory", async () => {
    const scene = confined().scene();
    const [open, masked] = [join(scene.base, "open"), join(scene.base, "masked")];
    for (const directory of [open, masked]) mkdirSync(directory);
    await using seen = await listen(createServer(), { path: join(open, "s") });
    await using hidden = await listen(createServer(), { path: join(masked, "s") });
    for (const path of [open, masked, join(open, "s"), join(masked, "s")]) chmodSync(path, 0o777);
    const how = { ...on, options: { allowUnixSockets: true, maskedDirectories: [masked] } };

    const first = await confined().run(scene, connectTo({ path: join(open, "s") }), how);
    const second = await confined().run(scene, connectTo({ path: join(masked, "s") }), how);

    expect([first.stdout, second.stdout]).toEqual(["connected\n", "ENOENT\n"]);
    expect([seen.connections, hidden.connections]).toEqual([1, 0]);
  });

  test("name resolution fails quickly without network", async () => {
    const scene = confined().scene();
    const began = performance.now();

    const result = await confined().run(scene, ["getent", "hosts", "example.com"]);

    expect(result.exitCode).not.toBe(0);
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});

function connectTo(where: object): string[] {
  return [
    "node",
    "-e",
    `const s = require("net").connect(${JSON.stringify(where)}); s.on("error", (e) => console.log(e.code));
     s.on("connect", () => { console.log("connected"); s.end(); });`,
  ];
}

async function listen(server: Server, where: object) {
  const listener = {
    connections: 0,
    port: 0,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
  server.on("connection", (socket) => {
    listener.connections++;
    socket.on("error", () => {}).end();
  });
  server.listen(where);
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  listener.port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return listener;
}
