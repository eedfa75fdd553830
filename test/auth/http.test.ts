import { expect, test } from "vitest";
import { postDirectly } from "../../src/auth/index.js";
import { startServer } from "../support/http-server.js";

const request = (url: string) => ({ url, headers: { "x-a": "1" }, body: "é" });
const never = new AbortController().signal;

test("an answer is read whatever its status, and a redirect is just one", async () => {
  await using server = await startServer((_, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end("tö");
  });

  expect(await postDirectly(request(server.url), never)).toEqual({ status: 302, body: "tö" });
  expect(server.requests).toMatchObject([
    { method: "POST", headers: { "x-a": "1", "content-length": "2" } },
  ]);
});

test("an endless response is rejected", async () => {
  await using server = await startServer((_, response) => {
    const pour = () => {
      while (response.write("x".repeat(65_536)));
    };
    response.on("drain", pour);
    pour();
  });

  await expect(postDirectly(request(server.url), never)).rejects.toThrow(
    "the response exceeds 1 MiB",
  );
});

test("an abort ends the request, also while its answer comes", async () => {
  await using server = await startServer((_, response) => response.write("x"));
  const abort = new AbortController();

  const answer = postDirectly(request(server.url), abort.signal);
  await expect.poll(() => server.requests.length).toBe(1);
  abort.abort();

  await expect(answer).rejects.toThrow("aborted");
});

test("a server that is not there is an error", async () => {
  await expect(postDirectly(request("http://127.0.0.1:1/"), never)).rejects.toThrow("ECONNREFUSED");
});
