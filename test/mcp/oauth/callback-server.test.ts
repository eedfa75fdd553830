import { expect, onTestFinished, test } from "vitest";
import { listenForCallback } from "../../../src/mcp/oauth/callback-server.js";

async function listen() {
  const server = await listenForCallback(0, "right");
  onTestFinished(() => server.close());
  return server;
}

test("resolves with the code of the callback that has the right state", async () => {
  const { redirectUrl, code } = await listen();

  const response = await fetch(`${redirectUrl}?state=right&code=abc`);

  expect([response.status, await response.text()]).toEqual([
    200,
    "Authentication complete. You may close this window.\n",
  ]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await code).toBe("abc");
});

test.each([
  ["another path", "/other?state=right&code=abc", 404],
  ["a wrong state", "/callback?state=wrong&code=abc", 400],
  ["no state", "/callback?code=abc", 400],
  ["no code", "/callback?state=right", 400],
  ["an empty code", "/callback?state=right&code=", 400],
])("%s is refused, and the login stays pending", async (_name, path, status) => {
  const { redirectUrl, code } = await listen();

  expect((await fetch(new URL(path, redirectUrl))).status).toBe(status);
  await fetch(`${redirectUrl}?state=right&code=later`);

  expect(await code).toBe("later");
});

test("only GET counts", async () => {
  const { redirectUrl } = await listen();

  const response = await fetch(`${redirectUrl}?state=right&code=abc`, { method: "POST" });

  expect(response.status).toBe(404);
});

test("a refusal rejects with its description, cut to a bound", async () => {
  const { redirectUrl, code } = await listen();
  const query = new URLSearchParams({
    state: "right",
    error: "access_denied",
    error_description: "x".repeat(600),
  });

  expect((await fetch(`${redirectUrl}?${query}`)).status).toBe(400);

  await expect(code).rejects.toThrow(`the login was refused: ${"x".repeat(500)}`);
  await expect(code).rejects.not.toThrow("x".repeat(501));
});

test("a port in use is an error that names it", async () => {
  const { redirectUrl } = await listen();
  const port = Number(new URL(redirectUrl).port);

  await expect(listenForCallback(port, "s")).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port} for the login: `,
  );
});
