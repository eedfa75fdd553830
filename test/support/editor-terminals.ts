import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A request that the agent has sent about a terminal. */
interface Create {
  command: string;
  args?: string[];
  env?: { name: string; value: string }[];
  cwd?: string;
}

interface Running {
  child: ChildProcess;
  output: string;
  exited: Promise<unknown>;
}

/** Terminals of an editor: real processes, started as the agent asks. */
export function createTerminals() {
  const running = new Map<string, Running>();
  const asked: string[] = [];
  const created: Create[] = [];
  return {
    asked,
    created,
    /** Answers a request of the agent. */
    async answer(method: string, params: unknown): Promise<object> {
      asked.push(method);
      if (method === "terminal/create") {
        const { command, args = [], env = [], cwd } = params as Create;
        created.push(params as Create);
        const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        const child = spawn(command, args, {
          cwd,
          env: { ...process.env, ...variables },
          stdio: ["ignore", "pipe", "pipe"],
          detached: true,
        });
        const terminal: Running = { child, output: "", exited: once(child, "close") };
        for (const pipe of [child.stdout, child.stderr]) {
          pipe.on("data", (chunk: Buffer) => {
            terminal.output += chunk.toString().replaceAll("\n", "\r\n");
          });
        }
        const terminalId = `terminal-${created.length}`;
        running.set(terminalId, terminal);
        return { terminalId };
      }
      const terminal = running.get((params as { terminalId: string }).terminalId);
      if (terminal === undefined) throw new Error("no such terminal");
      const { child } = terminal;
      if (method === "terminal/wait_for_exit") {
        await terminal.exited;
        return { exitCode: child.exitCode, signal: child.signalCode };
      }
      if (method === "terminal/output") return { output: terminal.output, truncated: false };
      if (method === "terminal/kill") process.kill(-(child.pid ?? 0), "SIGTERM");
      return {};
    },
  };
}
