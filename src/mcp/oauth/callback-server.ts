import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createDeferred } from "../../lib/async.js";

/** Local server that receives the authorization code. */
export interface CallbackServer {
  redirectUrl: string;
  /** Resolves with the code; rejects if the login was refused. */
  code: Promise<string>;
  close(): void;
}

/** Listens on loopback for the one callback with the right `state`. */
export async function listenForCallback(port: number, state: string): Promise<CallbackServer> {
  const code = createDeferred<string>();
  // Avoids an unhandled rejection if the login was abandoned.
  code.promise.catch(() => {});
  const server = createServer((request, response) => {
    const { status, text } = answerCallback(request, state, code);
    reply(response, status, text);
  });
  await listen(server, port);
  const address = server.address();
  const actualPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    redirectUrl: `http://127.0.0.1:${actualPort}/callback`,
    code: code.promise,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerCallback(
  request: IncomingMessage,
  state: string,
  code: { resolve(code: string): void; reject(error: Error): void },
): { status: number; text: string } {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  if (request.method !== "GET" || url.pathname !== "/callback") {
    return { status: 404, text: "Not found." };
  }
  // Other programs and web pages can send requests here; only our login knows the state.
  if (url.searchParams.get("state") !== state) {
    return { status: 400, text: "State mismatch: this login was not started here." };
  }
  const error = url.searchParams.get("error");
  if (error !== null) {
    const description = url.searchParams.get("error_description") ?? error;
    code.reject(new Error(`the login was refused: ${description.slice(0, longestDescription)}`));
    return { status: 400, text: "The login was refused. You may close this window." };
  }
  const brought = url.searchParams.get("code");
  if (brought === null || brought === "") {
    return { status: 400, text: "The authorization code is missing." };
  }
  code.resolve(brought);
  return { status: 200, text: "Authentication complete. You may close this window." };
}

const longestDescription = 500;

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(`${text}\n`);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(new Error(`cannot listen on 127.0.0.1:${port} for the login: ${error.message}`));
    });
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
