import { request } from "node:http";

/** Headers of a WebSocket upgrade request. */
const upgradeHeaders = {
  connection: "upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Returns the status of the response to a WebSocket upgrade request. */
export function websocketStatus(
  url: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  return new Promise((done, failed) => {
    const asking = request(url.replace(/^ws/, "http"), {
      headers: { ...upgradeHeaders, ...headers },
    });
    asking.once("upgrade", (answer, socket) => {
      socket.destroy();
      done(answer.statusCode);
    });
    asking.once("response", (answer) => {
      answer.destroy();
      done(answer.statusCode);
    });
    asking.once("error", failed).end();
  });
}
