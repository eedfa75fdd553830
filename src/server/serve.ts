import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { Era, EraName } from "../compat/index.js";
import type { Environment, Override } from "../config/index.js";
import { createLocalParts, type LocalOptions, type LocalParts } from "../engine/index.js";
import { errorText } from "../lib/errors.js";
import { programName } from "../lib/program-name.js";
import {
  type Channel,
  type Listener,
  type ListenOptions,
  linkedChannels,
  listen,
} from "../transport/index.js";
import { serveAppServer } from "./app-server.js";
import { Server } from "./server.js";

/** A server and the resources that end with it. */
export interface ServerHost {
  /** The server itself. */
  readonly server: Server;
  /** The parts that its engines are made of. */
  readonly parts: LocalParts;
  /** Ends the server and its engines. */
  close(): Promise<void>;
}

/** Options for serving at an address. */
export interface ServeListenerOptions {
  /** Address to listen on. */
  url: string;
  /** The input of a server on `stdio://`. */
  stdin: Readable;
  /** The output of a server on `stdio://`. */
  stdout: Writable;
  /** Gets what the server reports to people. */
  stderr: Writable;
  /** The environment of the server. */
  env: Environment;
  /** Working directory of sessions that do not set one. */
  cwd: string;
  /** Version of Codex to be compatible with; defaults to `current`. */
  era?: EraName | Era | undefined;
  /** Config overrides from the command line, for all threads. */
  flags?: readonly Override[];
  /** Access control of the listener. */
  access?: Access;
  /** Files with secrets of the listener; commands cannot read them. */
  secretFiles?: readonly string[];
  /** See `LocalOptions`. */
  buffers?: LocalOptions["buffers"];
  /** See `LocalOptions`. */
  terminals?: LocalOptions["terminals"];
  /** Tracks running items from the start, for clients with the capability `runningItems`. */
  tracksRunningItems?: boolean;
  /** Called when the server listens, instead of printing its address. */
  onListening?: (listener: Listener) => void | Promise<void>;
  /** Called with the number of live threads when one is started or loaded; must not throw. */
  onThread?: (live: number) => void;
  /** Ends the server. */
  signal: AbortSignal;
  /** The server, in place of one that runs threads on this machine. */
  host?: ServerHost;
  /** Serves one client; resolves when it has disconnected. */
  serve(channel: Channel, server: Server): Promise<void>;
}

/** Options of a listener that control access. */
export type Access = Omit<
  ListenOptions,
  "onConnection" | "stdio" | "signal" | "isReady" | "metrics"
>;

/** Serves clients at an address: a single one over stdio or IPC, else all until `signal` aborts. */
export async function serveListener(options: ServeListenerOptions): Promise<void> {
  const { url, access, signal, serve } = options;
  const { stdin, stdout, stderr } = options;
  const { server, parts, close } = options.host ?? createLocalServer(options);
  if (options.tracksRunningItems) server.feeds.trackRunning();
  const hasOneClient = /^(stdio|ipc):/.test(url);
  let onLeft = () => {};
  const left = new Promise<void>((resolve) => {
    onLeft = resolve;
  });
  // An error of one client must not end the others.
  const complain = (error: unknown) =>
    stderr.write(`${programName()}: a client was lost: ${errorText(error)}\n`);
  const listener = await listen(url, {
    ...access,
    onConnection: (channel) => void serve(channel, server).catch(complain).finally(onLeft),
    stdio: { input: stdin, output: stdout },
    async metrics() {
      const { serverMetrics } = await import("../telemetry/process-metrics.js");
      return serverMetrics(parts.machine.telemetry, server.threads.ids.length);
    },
    signal,
  });
  if (options.onListening !== undefined) await options.onListening(listener);
  else if (!hasOneClient) stderr.write(`${programName()}: listening on ${listener.url}\n`);
  const interrupted = signal.aborted ? Promise.resolve() : once(signal, "abort");
  await (hasOneClient ? Promise.race([left, interrupted]) : interrupted);
  await server.close();
  await listener.close();
  await close();
}

/** Creates a server that runs threads on this machine. */
function createLocalServer(options: Omit<ServeListenerOptions, "serve">): ServerHost {
  const { env, cwd, era, flags = [], secretFiles, buffers, terminals, onThread } = options;
  const parts = createLocalParts({
    env,
    cwd,
    era,
    flags,
    surface: "json-rpc",
    buffers,
    terminals,
    ...(secretFiles === undefined ? {} : { secretFiles }),
  });
  return { server: new Server(parts, onThread), parts, close: () => parts.close() };
}

/**
 * Starts an app-server for one client in this process; returns the client's end of the channel.
 *
 * Closing it ends the server: when `close` resolves, its threads and their commands have ended, and
 * their logs are on disk.
 */
export function startInProcessAppServer(options: Omit<LocalOptions, "surface">): Channel {
  const parts = createLocalParts({ ...options, surface: "json-rpc" });
  return serveInProcess({ server: new Server(parts), parts, close: () => parts.close() });
}

/** Serves one client in this process, as `startInProcessAppServer` does, with a server that the caller has made. */
export function serveInProcess({ server, close }: ServerHost): Channel {
  const [own, theirs] = linkedChannels();
  server.hasAllMethods = true;
  const ended = serveAppServer(theirs, server).finally(async () => {
    await server.close();
    await close();
  });
  // `close` rejects with a failure; until then it must not end the process.
  ended.catch(() => undefined);
  return closingWith(own, ended);
}

function closingWith(channel: Channel, ended: Promise<void>): Channel {
  return {
    incoming: channel.incoming,
    takesValues: channel.takesValues,
    get isOpen() {
      return channel.isOpen;
    },
    get backlog() {
      return channel.backlog;
    },
    send: (message) => channel.send(message),
    sendText: (json) => channel.sendText(json),
    drained: () => channel.drained(),
    end: () => channel.end(),
    destroy: () => channel.destroy(),
    async close() {
      await channel.close();
      await ended;
    },
  };
}
