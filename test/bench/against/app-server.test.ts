import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { AppServer } from "../../../bench/against/app-server.js";

/** Starts a server that runs this code for each line that it gets. */
function serverThat(onLine: string): AppServer {
  const program = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const reply = (value) => process.stdout.write(JSON.stringify({ id, ...value }) + "\\n");
    ${onLine}
  })`;
  const command = [process.execPath, "-e", program];
  return new AppServer({ command, cwd: tmpdir(), env: {} });
}

test("a server that ends during a turn is reported with its exit code and its last words", async () => {
  const server = serverThat(`
    if (method === "turn/start") { console.error("out of memory"); process.exit(7); }
    reply({ result: {} });
  `);
  await server.initialize();

  await expect(server.turn("thread")).rejects.toThrow(
    "The server is gone: it ended with code 7\nout of memory",
  );
  await expect(server.startThread()).rejects.toThrow("The server is gone: it ended with code 7");
});

test("a server that is killed is reported with the signal", async () => {
  const server = serverThat(`process.kill(process.pid, "SIGKILL")`);

  await expect(server.initialize()).rejects.toThrow("The server is gone: it was ended by SIGKILL");
});

test("a turn that is refused fails with its own reason, also when the server ends later", async () => {
  const server = serverThat(`reply({ error: { message: "no such thread" } })`);

  await expect(server.turn("thread")).rejects.toThrow("turn/start: no such thread");
  await server.end();
});
