import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { LineProgram } from "./line-program.js";

/** A program that serves HTTP on a port we chose. Dispose it. */
export interface HttpServer extends AsyncDisposable {
  port: number;
}

/** Starts a program that takes its port from a variable, and waits until it listens. */
export async function startHttpServer(
  command: string[],
  portVariable: string,
  signal: AbortSignal,
): Promise<HttpServer> {
  const port = await freePort();
  const env = { PATH: process.env.PATH ?? "", [portVariable]: `${port}` };
  const program = new LineProgram({ command, cwd: "/", env, signal });
  await program.disposeUnless(() => untilOpen(program, port, signal));
  return { port, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

/** Waits until a program listens on the given port. */
export async function untilOpen(
  program: LineProgram,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 0; !(await isOpen(port)); tries++) {
    if (tries > 200) throw new Error(`${program.name} does not listen${program.lastWords()}`);
    await sleep(50, undefined, { signal });
  }
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
