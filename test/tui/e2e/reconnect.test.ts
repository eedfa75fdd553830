import { connect, createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { says } from "../../support/model.js";
import { startProgram } from "../../support/program.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("a lost connection", () => {
  test("[terminal R15] reconnects when the server is back, and the session continues", async () => {
    const args = ["app-server", "--listen", "ws://127.0.0.1:0"];
    const server = await startProgram({ args, model: [says("One."), says("Two.")] });
    await using _ = server;
    const url = await listeningAt(server.stderr);
    await using terminal = await startTerminal({ args: ["--remote", url] });
    await terminal.until("Describe a task");
    await terminal.type("the first question");
    await terminal.keys("Enter");
    await terminal.until(/One\.[\s\S]*Describe a task/);
    await terminal.type("half a message");

    server.child.kill("SIGKILL");
    const lost = await terminal.until("Not connected to the server");
    expect(lost).toContain("Lost the connection to the server. Reconnecting…");
    expect(lost).toContain("› half a message");
    await using _again = await startProgram({
      args: ["app-server", "--listen", url],
      env: { CODEX_HOME: server.home },
    });

    const back = await terminal.until("• Reconnected");
    expect(back).toContain("› half a message");
    expect(back).not.toContain("Not connected");
    await terminal.keys("Enter");
    await terminal.until("• Two.");
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain("the first question");
  });

  test("[terminal R15] output missed while disconnected is printed once and complete", async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    await using server = await startProgram({
      args: ["app-server", "--listen", "ws://127.0.0.1:0"],
      model: [[{ message: `Begin.\n\n${words}\n\nEnd.`, deltas: 8, pause_ms: 40 }]],
    });
    await using proxy = await startProxy(Number(new URL(await listeningAt(server.stderr)).port));
    await using terminal = await startTerminal({ args: ["--remote", proxy.url] });
    await terminal.until("Describe a task");
    await terminal.type("speak");
    await terminal.keys("Enter");
    await terminal.until("word5 ");

    proxy.cut();
    await terminal.until("• Reconnected");
    await terminal.until(/End\.[\s\S]*Describe a task/);

    const history = await terminal.history();
    expect(history.match(/• Begin\./g)).toHaveLength(1);
    for (const word of words.split(" ")) {
      expect(history.match(new RegExp(`\\b${word}\\b`, "g")), word).toHaveLength(1);
    }
  });
});

/** Forwards bytes to a port, until its connections are cut. */
async function startProxy(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : 0;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `ws://127.0.0.1:${own}`,
    cut,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

/** Resolves with the address that a server prints. */
async function listeningAt(text: () => string): Promise<string> {
  await expect.poll(text, { timeout: 20_000 }).toMatch(/ws:\/\/[\d.]+:\d+/);
  return /ws:\/\/[\d.]+:\d+/.exec(text())?.[0] ?? "";
}
