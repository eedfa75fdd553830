import type { IncomingMessage } from "node:http";

/** A request to the login server. */
export interface HttpPost {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A response with its full body. */
export interface HttpAnswer {
  status: number;
  body: string;
}

/**
 * Sends a POST request and reads the response, whatever its status.
 *
 * Rejects if no response arrives or `signal` aborts. Programs behind a proxy pass their own.
 */
export type HttpClient = (request: HttpPost, signal: AbortSignal) => Promise<HttpAnswer>;

/** Responses of a login server are short. */
const largestAnswer = 1024 * 1024;

/**
 * Sends a POST request over a new connection. Redirects are not followed, so no token is sent
 * elsewhere.
 */
export const postDirectly: HttpClient = ({ url, headers, body }, signal) =>
  send("POST", { url, headers, body }, signal);

/** Sends a GET request in the same way. */
export function getDirectly(
  request: Omit<HttpPost, "body">,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return send("GET", { ...request, body: "" }, signal);
}

async function send(
  method: string,
  { url, headers, body }: HttpPost,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { request } = await (url.startsWith("https:") ? import("node:https") : import("node:http"));
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      signal,
    });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      readBody(incoming).then(
        (text) => resolve({ status: incoming.statusCode ?? 0, body: text }),
        (error) => {
          outgoing.destroy();
          reject(error);
        },
      );
    });
    outgoing.end(body);
  });
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of incoming.setEncoding("utf8")) {
    text += piece;
    if (text.length > largestAnswer) throw new Error("the response exceeds 1 MiB");
  }
  return text;
}
