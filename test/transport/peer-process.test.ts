import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { markName, registerCommand } from "../../src/lib/process-tree.js";
import { connect } from "../../src/transport/index.js";
import { startTestServer, type TestServer } from "./server.js";

const schemes = ["tcp", "ws", "http", "h2", "grpc"] as const;

/** Connects, sends a token and prints the outcome: `closed`, or `open` once the server sends anything. */
const client = `
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def report():
    s.settimeout(25)
    try:
        s.sendall(b'{"token":"s3cret"}\\n{"id":1}\\n')
        print("closed" if s.recv(1) == b"" else "open", flush=True)
    except TimeoutError: print("silent", flush=True)
    except OSError: print("closed", flush=True)
`;

const attempts = {
  directly: `${client}\nreport()`,
  "from a child that lives on": `${client}\nimport os\nif os.fork() == 0: report()\nelse: os.wait()`,
  "from a child of a parent that is gone": `${client}\nimport os\nif os.fork() == 0: report()`,
  "from a child that connects by itself": `import os\nif os.fork() == 0:\n  ${client.trim().replaceAll("\n", "\n  ")}\n  report()\nelse: os.wait()`,
  "forking again and again": `${client}\nimport os, time\nfor _ in range(300):\n  if os.fork() != 0: os._exit(0)\n  time.sleep(0.002)\nreport()`,
};

// Recognizing a command does not depend on the protocol, so all ways are tried over TCP only.
describe.concurrent("[security H2] a command of ours that connects", () => {
  test.each(Object.entries(attempts))("%s is dropped", async (_, code) => {
    await using server = await startTestServer("tcp://127.0.0.1:0");
    await using command = start(code, server);
    command.own();

    expect(await command.report()).toBe("closed");
    expect(server.infos).toEqual([]);
  });

  test.each(schemes)("to %s is dropped even with a valid token", async (scheme) => {
    await using server = await startTestServer(`${scheme}://127.0.0.1:0`, { token: "s3cret" });
    await using command = start(attempts.directly, server);
    command.own();

    expect(await command.report()).toBe("closed");
    expect(server.infos).toEqual([]);
  });
});

test("[security H2] a process that left its parent, group and session is known by its mark", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const code = `import os\nif os.fork() != 0: os._exit(0)\nos.setsid()\nif os.fork() != 0: os._exit(0)\n${client}\nreport()`;
  await using command = start(code, server, { [markName]: "a-command" });
  command.own();

  expect(await command.report()).toBe("closed");
});

test("[security H2] a child that outlives a command without a sandbox is known by its group", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const code = `import os, time\nif os.fork() != 0: os._exit(0)\ntime.sleep(0.3)\n${client}\nreport()`;
  await using command = start(code, server);
  const ended = command.own();
  await once(command.child, "exit");
  ended();

  expect(await command.report()).toBe("closed");
});

test.each(schemes)(
  "[security H2] while commands run, other clients of %s may connect",
  async (scheme) => {
    await using server = await startTestServer(`${scheme}://127.0.0.1:0`);
    await using command = start("import time\ntime.sleep(60)", server);
    command.own();

    const channel = await connect(server.url);
    await server.accepted();

    expect(server.infos).toHaveLength(1);
    channel.destroy();
  },
);

test("[security H2] another program of the user may connect", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  await using command = start("import time\ntime.sleep(60)", server);
  command.own();
  await using other = start(attempts.directly, server);

  (await server.accepted()).send("welcome");

  expect(await other.report()).toBe("open");
});

interface Started extends AsyncDisposable {
  child: ChildProcess;
  /** Registers it as a command of ours, until it ends or the result is called. */
  own(): () => void;
  report(): Promise<string>;
}

/** Starts a Python program like a command: as the leader of a group and session. */
function start(code: string, server: TestServer, env: Record<string, string> = {}): Started {
  const port = server.url.split(":").at(-1)?.replace(/\D/g, "") ?? "";
  const child = spawn("python3", ["-c", code, port], {
    detached: true,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout?.on("data", (data) => {
    text += data;
  });
  const closed = once(child, "close");
  let disown = () => {};
  return {
    child,
    own() {
      disown = registerCommand(child.pid ?? 0, false);
      return disown;
    },
    async report() {
      await closed;
      return text.trim();
    },
    async [Symbol.asyncDispose]() {
      try {
        process.kill(-(child.pid ?? 0), "SIGKILL");
      } catch {
        // It has ended.
      }
      await closed;
      disown();
    },
  };
}
