import {
  forwardSignals,
  type InspectedConversation,
  type Inspector,
  type ProcessEnd,
  relayBytes,
  relayMessages,
  type ServerProcess,
  startServer,
} from "../../inspect/index.js";
import { type Channel, connect, stdioChannel } from "../../transport/index.js";
import type { CommandIo } from "../command.js";
import { explained } from "../options/listening.js";
import type { Outputs } from "./outputs.js";
import type { InspectPlan } from "./plan.js";

/** Parts of a running inspection. */
export interface InspectParts {
  plan: InspectPlan;
  inspector: Inspector;
  outputs: Outputs;
  io: CommandIo;
  /** The server writes to our standard error itself. */
  sharesErrors: boolean;
}

/** Inspects the client on standard input and output. Resolves when the server has ended. */
export async function inspectStdio(parts: InspectParts): Promise<ProcessEnd> {
  const { plan, inspector, io } = parts;
  // A client that leaves ends the conversation; the program must not exit before the server.
  io.stdout.removeAllListeners("error");
  io.stdout.on("error", () => {});
  const conversation = inspector.open();
  if ("url" in plan.server) {
    const channel = await connectTo(plan.server);
    io.signal.addEventListener("abort", () => channel.destroy(), { once: true });
    await relayBoth(conversation, stdioChannel(io.stdin, io.stdout), channel);
    conversation.end();
    return { code: null, signal: null };
  }
  const server = await startProcess(parts, plan.server.command);
  const stop = forwardSignals((signal) => server.kill(signal));
  const passed =
    plan.translateTo === undefined
      ? passBytes(conversation, server, io)
      : relayBoth(
          conversation,
          stdioChannel(io.stdin, io.stdout),
          stdioChannel(server.stdout, server.stdin),
        );
  const end = await server.exited;
  // A program that the server left behind may hold its output open.
  await Promise.race([passed, whenQuiet(server.stdout)]);
  stop();
  conversation.end();
  return end;
}

/** Connects to a server by its address. */
export async function connectTo(server: {
  url: string;
  token: string | undefined;
}): Promise<Channel> {
  let channel: Channel | undefined;
  await explained(async () => {
    channel = await connect(server.url, server.token === undefined ? {} : { token: server.token });
  });
  return channel as Channel;
}

/** Starts the command of the server; its standard error is passed on. */
export async function startProcess(
  { plan, outputs, io, sharesErrors }: InspectParts,
  command: readonly string[],
): Promise<ServerProcess> {
  const { env } = plan;
  const stderr = sharesErrors ? "inherit" : "pipe";
  const server = await startServer({ command, cwd: io.cwd, env, stderr });
  if (server.stderr !== null) outputs.errors.passOn(server.stderr);
  return server;
}

/** Passes messages in both directions; resolves when both have ended. */
export async function relayBoth(
  conversation: InspectedConversation,
  client: Channel,
  server: Channel,
): Promise<void> {
  const fromClient = relayMessages(client, server, (message) => {
    conversation.see("client", message, sizeOf(message));
    return [message];
  });
  const fromServer = relayMessages(server, client, (message) =>
    conversation.translate(message, (answer) => server.send(answer)),
  );
  // Without its server a client has no one to talk to; a server may still answer a client that has ended its input.
  await fromServer;
  await client.close();
  await fromClient;
  await server.close();
}

async function passBytes(
  conversation: InspectedConversation,
  { stdin, stdout }: ServerProcess,
  io: CommandIo,
): Promise<void> {
  void relayBytes(io.stdin, stdin, (message, bytes) => conversation.see("client", message, bytes));
  await relayBytes(stdout, io.stdout, (message, bytes) =>
    conversation.see("server", message, bytes),
  );
}

/** Resolves when nothing was read for a while. */
function whenQuiet(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(resolve, quietMs);
    stream.on("data", () => {
      clearTimeout(timer);
      timer = setTimeout(resolve, quietMs);
    });
  });
}

const quietMs = 500;

function sizeOf(message: unknown): number {
  return Buffer.byteLength(JSON.stringify(message) ?? "");
}
