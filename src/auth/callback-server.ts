import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../lib/clock.js";
import { errorCode, errorText } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";

/** Response to the browser. */
interface Reply {
  status: number;
  body: string;
  /** True for an HTML page, otherwise plain text. */
  html?: boolean;
  location?: string;
}

/** A request to the callback server. */
export interface BrowserRequest {
  path: string;
  query: URLSearchParams;
  /** True if a browser sent it, so any web page may have caused it. */
  fromBrowser: boolean;
}

/** Handles a request. */
type BrowserHandler = (request: BrowserRequest) => Promise<BrowserAnswer>;

/** A response, and a callback for when it has been sent. */
export interface BrowserAnswer {
  reply: Reply;
  afterwards?: () => void;
}

/** Callback server on loopback. */
export interface CallbackServer {
  port: number;
  close(): Promise<void>;
}

const tries = 10;
const pauseMs = 200;

/**
 * Listens on a port of the loopback interface.
 *
 * The port is fixed, because the issuer accepts no other. If it is in use, another login is
 * probably pending there and is asked once to cancel. Throws if the port stays in use.
 */
export async function listenForBrowser(
  port: number,
  handler: BrowserHandler,
  clock: Clock,
  signal: AbortSignal,
): Promise<CallbackServer> {
  const { createServer } = await import("node:http");
  for (let attempt = 1; ; attempt++) {
    const server = createServer((request, response) => void answer(request, response, handler));
    try {
      return await listen(server, port);
    } catch (error) {
      const taken = errorCode(error) === "EADDRINUSE";
      if (!taken) throw notListening(port, error);
      if (attempt === 1) await cancelOther(port);
      if (attempt >= tries) {
        throw new CodexError("auth", `Port 127.0.0.1:${port} is already in use`);
      }
    }
    await clock.sleep(pauseMs, signal);
  }
}

function listen(server: Server, port: number): Promise<CallbackServer> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve({ port: (server.address() as AddressInfo).port, close: () => close(server) });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handler: BrowserHandler,
): Promise<void> {
  request.resume();
  const { reply, afterwards } = await handle(request, handler);
  // Runs even if the browser disconnected before the response arrived.
  response.once("close", () => afterwards?.());
  response.writeHead(reply.status, {
    "content-type": `text/${reply.html ? "html" : "plain"}; charset=utf-8`,
    "content-length": Buffer.byteLength(reply.body),
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
    ...(reply.location === undefined ? undefined : { location: reply.location }),
  });
  response.end(request.method === "HEAD" ? undefined : reply.body);
}

async function handle(request: IncomingMessage, handler: BrowserHandler): Promise<BrowserAnswer> {
  const { method, url = "/", headers, socket } = request;
  const { localPort } = socket;
  // Prevents DNS rebinding: a foreign host name could resolve to this machine.
  if (headers.host !== `localhost:${localPort}` && headers.host !== `127.0.0.1:${localPort}`) {
    return { reply: { status: 403, body: "Forbidden" } };
  }
  if (method !== "GET") return { reply: { status: 405, body: "Method Not Allowed" } };
  const address = `http://localhost${url}`;
  if (!url.startsWith("/") || !URL.canParse(address)) {
    return { reply: { status: 400, body: "Bad Request" } };
  }
  const { pathname, searchParams } = new URL(address);
  return handler({ path: pathname, query: searchParams, fromBrowser: isFromBrowser(headers) });
}

/**
 * Returns true if any header is one that browsers send and `cancelOther` does not.
 *
 * A page can suppress some of them (an image has no `Origin`, a policy removes `Referer`, older
 * browsers have no `Sec-Fetch-Site`), but never all.
 */
function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  if (/mozilla/i.test(headers["user-agent"] ?? "")) return true;
  return Object.keys(headers).some((name) => browserHeader.test(name));
}

const browserHeader =
  /^(origin|referer|cookie|accept-language|upgrade-insecure-requests|sec-.+|access-control-.+)$/;

/** Asks the program on the port to cancel its login; other programs ignore the request. */
async function cancelOther(port: number): Promise<void> {
  const { request } = await import("node:http");
  await new Promise<void>((resolve) => {
    const outgoing = request({ host: "127.0.0.1", port, path: "/cancel", timeout: 2_000 });
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("response", (incoming) => incoming.resume());
    outgoing.on("error", () => undefined);
    outgoing.on("close", resolve);
    outgoing.end();
  });
}

function notListening(port: number, cause: unknown): CodexError {
  const reason = errorText(cause);
  return new CodexError("auth", `Could not listen on 127.0.0.1:${port}: ${reason}`, { cause });
}

/** Returns the HTML page with the outcome of the login. */
export function loginPage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto 0; padding: 0 1rem; }
  h1 { font-size: 1.4rem; }
  @media (prefers-color-scheme: dark) { body { background: #16181d; color: #e6e6e6; } }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</body>
</html>
`;
}

/** Escapes all characters with a meaning in HTML. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Answer to a request for another page. */
export const notFound: BrowserAnswer = { reply: { status: 404, body: "Not Found" } };

/** Rejects one request without ending the login: any page could have sent it. */
export function badRequest(body: string): BrowserAnswer {
  return { reply: { status: 400, body } };
}
