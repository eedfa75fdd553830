import { Server } from "node:net";
import type { NetworkRules } from "../../protocol/permission-rules.js";
import type { Launch } from "../launch.js";
import type { CommandToConfine } from "../policy.js";
import { requireNode } from "../require-node.js";
import type { ResolveHost } from "./dial.js";
import { proxyVariables } from "./environment.js";
import { NetworkProxy } from "./proxy.js";

/** Options for `NetworkBridge`. */
export interface BridgeOptions {
  rules: NetworkRules;
  /** Number of the descriptor in the sandbox over which the listener is handed over; below 10. */
  descriptor: number;
  resolveHost?: ResolveHost | undefined;
}

/**
 * Connects a command in its own network namespace with our proxy.
 *
 * A namespace has no way out, but a socket belongs to the namespace in which it was created. So
 * before the command starts, a short program in the sandbox opens a listener on loopback and hands
 * it over to this process, as Node's processes do among each other. After that nothing of it is
 * left in the sandbox: the command connects to what looks like a local port, and this process
 * accepts the connection.
 */
export class NetworkBridge {
  readonly #options: BridgeOptions;
  readonly #proxy: NetworkProxy;
  #isOpen = false;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#proxy = new NetworkProxy(options);
  }

  /** Returns the command with the hand-over before it, and with the proxy in its environment. */
  wrap(command: CommandToConfine): CommandToConfine {
    requireNode("Network rules by host");
    const { descriptor, rules } = this.#options;
    // The environment of the command must not change how our program runs.
    const handOver = `/usr/bin/env -i NODE_CHANNEL_FD=${descriptor} "$1" -e "$2" </dev/null >&2`;
    const start = `shift 2 && exec "$@" ${descriptor}>&-`;
    const script = `${handOver} || { echo "${failure}" >&2; exit 1; }; ${start}`;
    const program = ["/bin/sh", "-c", script, "sh", process.execPath, handOverProgram];
    const variables = proxyVariables(`http://127.0.0.1:${port}`, rules);
    return {
      ...command,
      argv: [...program, ...command.argv],
      env: { ...command.env, ...variables },
    };
  }

  /** Returns a launch that starts the proxy with the command and closes it afterwards. */
  attach(launch: Launch): Launch {
    return {
      ...launch,
      spawned: (child) => {
        launch.spawned(child);
        child?.once("message", (_message, handle) => this.#open(handle));
      },
      ended: async (stderr) => {
        this.#proxy.close();
        const report = await launch.ended(stderr);
        if (!report.ran || this.#isOpen || !stderr.includes(failure)) return report;
        return { ran: false, cause: "sandbox", reason: stderr.trim() };
      },
    };
  }

  #open(handle: unknown): void {
    if (!(handle instanceof Server)) return;
    this.#isOpen = true;
    this.#proxy.serve(handle);
  }
}

/** Every namespace has all ports to itself. */
const port = 3128;

const failure = "quire: the network proxy could not be started in the sandbox";

const handOverProgram = `const server = require("node:net").createServer();
server.listen(${port}, "127.0.0.1", 511, () => process.send("listening", server, () => process.exit()));`;
