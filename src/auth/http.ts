import type { IncomingMessage } from "node:http";

/** A request to the login server. */
export interface HttpPost {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Its answer, read to the end. */
export interface HttpAnswer {
  status: number;
  body: string;
}

/**
 * Posts something and reads the answer, whatever its status.
 *
 * Throws when no answer comes or `signal` aborts. Programs that go through proxies give their own.
 */
export type HttpClient = (request: HttpPost, signal: AbortSignal) => Promise<HttpAnswer>;

/** What a login server says is short. */
const largestAnswer = 1024 * 1024;

/** Posts over a connection of its own. Redirects are not followed: no token goes elsewhere. */
export const postDirectly: HttpClient = ({ url, headers, body }, signal) =>
  send("POST", { url, headers, body }, signal);

/** Reads something over a connection of its own, in the same way. */
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
    if (text.length > largestAnswer) throw new Error("the answer is larger than any login's");
  }
  return text;
}
