import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { boundedFetch, nodeFetch, watchBody } from "../../../src/mcp/http/fetch.js";

/** Starts a server for one test and returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("sends method, headers and body, and returns status, headers and body", async () => {
  const url = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    response.writeHead(201, { "x-seen": request.headers["x-sent"], "set-cookie": ["a", "b"] });
    response.end(`${request.method} ${body}`);
  });

  const response = await nodeFetch(url, { method: "POST", headers: { "x-sent": "1" }, body: "hi" });

  expect(response.status).toBe(201);
  expect(response.headers.get("x-seen")).toBe("1");
  expect(response.headers.getSetCookie()).toEqual(["a", "b"]);
  expect(await response.text()).toBe("POST hi");
});

test.each([204, 304])("a response with status %i has no body", async (status) => {
  const url = await serve((_request, response) => response.writeHead(status).end());

  const response = await nodeFetch(url);

  expect(response.status).toBe(status);
  expect(response.body).toBeNull();
});

test("redirects are not followed", async () => {
  const url = await serve((_request, response) =>
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  );

  expect((await nodeFetch(url)).status).toBe(302);
});

test("rejects when the signal aborts or nothing listens", async () => {
  const url = await serve(() => {});
  const abort = new AbortController();
  const pending = nodeFetch(url, { signal: abort.signal });
  abort.abort();

  await expect(pending).rejects.toThrow(/abort/i);
  await expect(nodeFetch("http://127.0.0.1:1/")).rejects.toThrow("ECONNREFUSED");
});

test("a bounded fetch reads up to its limit and rejects a larger body", async () => {
  const url = await serve((_request, response) => response.end("x".repeat(10)));

  expect(await (await boundedFetch(nodeFetch, 10)(url)).text()).toHaveLength(10);
  const tooLarge = await boundedFetch(nodeFetch, 9)(url);
  await expect(tooLarge.text()).rejects.toThrow(
    `response of ${new URL(url).origin} exceeds 9 bytes`,
  );
});

test("a watched body reports its chunks and its end once", async () => {
  const seen: string[] = [];
  const watch = {
    onChunk: (chunk: Uint8Array) => void seen.push(Buffer.from(chunk).toString()),
    onEnd: () => void seen.push("end"),
  };

  const response = watchBody(new Response("hello", { status: 202, headers: { a: "1" } }), watch);
  expect(await response.text()).toBe("hello");
  await watchBody(new Response("unread"), watch).body?.cancel();

  expect([response.status, response.headers.get("a")]).toEqual([202, "1"]);
  expect(seen).toEqual(["hello", "end", "end"]);
});

test("a response without a body is returned as it is", () => {
  const empty = new Response(null, { status: 204 });

  expect(watchBody(empty, { onChunk: () => {} })).toBe(empty);
});
