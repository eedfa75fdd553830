import { describe, expect, test } from "vitest";
import { listen } from "../../src/transport/index.js";

const token = "a-token-of-sixteen-characters-or-more";

describe.each(["ws", "http"])("a listener at %s://", (scheme) => {
  const start = (isReady = true) =>
    listen(`${scheme}://127.0.0.1:0`, {
      onConnection: (channel) => void channel.close(),
      token,
      metrics: async () => "up 1\n",
      isReady: () => isReady,
    });
  const get = async (url: string, path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url.replace(/^\w+:/, "http:").replace(/\/$/, "") + path, {
      headers,
    });
    return { status: response.status, text: await response.text() };
  };

  test("serves metrics to those who have the token, and health to all programs", async () => {
    const { url, close } = await start();
    const authorization = `Bearer ${token}`;

    expect(await get(url, "/metrics", { authorization })).toEqual({ status: 200, text: "up 1\n" });
    expect((await get(url, "/metrics")).status).toBe(401);
    expect((await get(url, "/metrics", { authorization: "Bearer wrong" })).status).toBe(401);
    const page = { authorization, origin: "https://evil.example" };
    expect((await get(url, "/metrics", page)).status).toBe(403);
    expect(await get(url, "/healthz")).toEqual({ status: 200, text: "" });
    expect(await get(url, "/readyz")).toEqual({ status: 200, text: "" });
    await close();
  });

  test("is alive but not ready while it ends", async () => {
    const { url, close } = await start(false);

    expect((await get(url, "/readyz")).status).toBe(503);
    expect((await get(url, "/healthz")).status).toBe(200);
    await close();
  });
});
