import { once } from "node:events";
import type { Socket } from "node:net";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eraNames } from "../../src/compat/index.js";
import type { ModelAuthSource, StreamItem } from "../../src/model/types.js";
import { answerWith, completed, startServer, textDelta } from "../support/http-server.js";
import { askAll, behaviorOf, clientOf, promptOf } from "../support/model.js";

const text = (delta: string) => ({ type: "text_delta", delta, itemId: undefined });
const done = { type: "completed", responseId: "r", usage: undefined };

/** Returns the items without the first one, which every response has. */
async function answerOf(client: Parameters<typeof askAll>[0]): Promise<StreamItem[]> {
  const [first, ...rest] = await askAll(client);
  return first?.type === "accepted" || first === undefined ? rest : [first, ...rest];
}

describe("credentials", () => {
  const env = { KEY: "hush-env-key", EXTRA: "hush-header-2" };
  const provider = {
    env_key: "KEY",
    http_headers: { "x-api-key": "hush-header-1" },
    env_http_headers: { "x-extra": "EXTRA" },
    query_params: { token: "hush-query" },
  };

  test.each(eraNames)("are in no message about a refusal, in era %s", async (era) => {
    await using server = await startServer(({ headers, url }, outgoing) => {
      outgoing.writeHead(400).end(`${JSON.stringify(headers)} ${url}`);
    });
    const base_url = server.url.replace("//", "//me:hush-user@");
    using client = clientOf({ ...provider, base_url }, { env, behavior: behaviorOf(era) });

    const [failed] = await answerOf(client);

    const message = failed?.type === "failed" ? failed.failure.message : "";
    expect(message).toContain("[REDACTED]");
    expect(message).not.toContain("hush");
  });

  test("are in no message about a server that cannot be reached", async () => {
    const closed = await startServer(() => undefined);
    await closed[Symbol.asyncDispose]();
    const base_url = closed.url.replace("//", "//me:hush-user@");
    using client = clientOf({ ...provider, base_url }, { env });

    expect(await answerOf(client)).toMatchObject([
      { failure: { message: expect.stringMatching(/^[^?@]*\(http:[^?@]*\): connect[^?@]*$/) } },
    ]);
  });
});

describe("a connection", () => {
  test("is kept for the next request", async () => {
    await using server = await startServer((_, outgoing) => answerWith(outgoing, completed));
    using client = clientOf({ base_url: server.url });

    expect(await answerOf(client)).toEqual([done]);
    expect(await answerOf(client)).toEqual([done]);

    expect(server.requests).toHaveLength(2);
    expect(server.sockets).toHaveLength(1);
  });

  test("is kept though the stream went on a little after the end of the response", async () => {
    await using server = await startServer((_, outgoing) => {
      outgoing.write(completed);
      setTimeout(() => outgoing.end(": bye\n\n"), 20);
    });
    using client = clientOf({ base_url: server.url });

    await answerOf(client);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await answerOf(client);

    expect(server.sockets).toHaveLength(1);
  });

  test("that was closed while it was kept is replaced without a word", async () => {
    const used = new WeakSet<Socket>();
    await using server = await startServer(({ socket }, outgoing) => {
      if (used.has(socket)) return socket.destroy();
      used.add(socket);
      answerWith(outgoing, completed);
    });
    using client = clientOf({ base_url: server.url });

    expect(await answerOf(client)).toEqual([done]);
    expect(await answerOf(client)).toEqual([done]);

    expect(server.requests).toHaveLength(3);
    expect(server.sockets).toHaveLength(2);
  });

  test("that is new and closed at once is a failure", async () => {
    await using server = await startServer(({ socket }) => socket.destroy());
    using client = clientOf({ base_url: server.url });

    expect(await answerOf(client)).toEqual([
      {
        type: "failed",
        failure: {
          kind: "connection",
          message: `error sending request for url (${server.url}/responses): socket hang up`,
          retryable: true,
        },
      },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  test("that no server accepts is a failure that names the address", async () => {
    const closed = await startServer(() => undefined);
    await closed[Symbol.asyncDispose]();
    using client = clientOf({ base_url: closed.url });

    expect(await answerOf(client)).toMatchObject([
      {
        failure: {
          kind: "connection",
          message: expect.stringMatching(/responses\): connect ECONNREFUSED 127\.0\.0\.1:\d+$/),
          retryable: true,
        },
      },
    ]);
  });

  test("is cut at once when the caller aborts", async () => {
    await using server = await startServer((_, outgoing) => void outgoing.write(textDelta("a")));
    using client = clientOf({ base_url: server.url });
    const abort = new AbortController();
    const stream = client.stream(promptOf(), abort.signal);
    await stream.next();
    expect((await stream.next()).value).toEqual([text("a")]);
    const gone = once(server.sockets[0] as Socket, "close");

    const waiting = stream.next();
    abort.abort("stop");

    await expect(waiting).rejects.toBe("stop");
    await gone;
  });

  test("is cut at once when the caller aborts before there is an answer", async () => {
    const abort = new AbortController();
    await using server = await startServer(() => abort.abort("stop"));
    using client = clientOf({ base_url: server.url, request_max_retries: 4 });

    await expect(askAll(client, promptOf(), abort.signal)).rejects.toBe("stop");
    const [socket] = server.sockets;
    if (!socket?.destroyed) await once(socket as Socket, "close");
    expect(server.requests).toHaveLength(1);
  });

  test("is cut when the caller walks away", async () => {
    await using server = await startServer((_, outgoing) => void outgoing.write(textDelta("a")));
    using client = clientOf({ base_url: server.url });

    for await (const batch of client.stream(promptOf(), new AbortController().signal)) {
      if (batch[0]?.type === "text_delta") break;
    }

    const [socket] = server.sockets;
    if (!socket?.destroyed) await once(socket as Socket, "close");
  });
});

describe("a body", () => {
  test("may be cut inside a character and inside an event", async () => {
    const bytes = Buffer.from(textDelta("é😀é") + completed);
    await using server = await startServer((_, outgoing) => {
      outgoing.writeHead(200);
      let at = 0;
      const next = () => {
        if (at === bytes.length) return outgoing.end();
        outgoing.write(bytes.subarray(at, ++at));
        setImmediate(next);
      };
      next();
    });
    using client = clientOf({ base_url: server.url });

    expect(await answerOf(client)).toEqual([text("é😀é"), done]);
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("may be compressed by %s", async (encoding, compress) => {
    await using server = await startServer((_, outgoing) => {
      outgoing.setHeader("content-encoding", encoding);
      answerWith(outgoing, compress(textDelta("packed") + completed));
    });
    using client = clientOf({ base_url: server.url });

    expect(await answerOf(client)).toEqual([text("packed"), done]);
  });

  test("that breaks off while compressed keeps the data before", async () => {
    const finishFlush = constants.Z_SYNC_FLUSH;
    await using server = await startServer((_, outgoing) => {
      outgoing.writeHead(200, { "content-encoding": "gzip" });
      outgoing.write(gzipSync(textDelta("half"), { finishFlush }));
      outgoing.socket?.destroySoon();
    });
    using client = clientOf({ base_url: server.url });

    expect(await answerOf(client)).toMatchObject([text("half"), { type: "failed" }]);
  });

  test("in an unknown encoding is a failure", async () => {
    await using server = await startServer((_, outgoing) => {
      outgoing.setHeader("content-encoding", "rot13");
      answerWith(outgoing, completed);
    });
    using client = clientOf({ base_url: server.url });

    expect(await answerOf(client)).toMatchObject([
      { failure: { message: expect.stringContaining("unsupported content encoding: rot13") } },
    ]);
  });

  test("of an error is read only so far", async () => {
    await using server = await startServer((_, outgoing) => {
      outgoing.writeHead(400);
      outgoing.end("x".repeat(1_000_000));
    });
    using client = clientOf({ base_url: server.url });

    const [item] = await answerOf(client);

    expect(item?.type === "failed" && item.failure.message.length).toBe(
      "unexpected status 400 Bad Request: ".length + 64 * 1024,
    );
  });

  test("of garbage is not an answer", async () => {
    await using server = await startServer((_, outgoing) => {
      answerWith(outgoing, Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x0a, 0x80]));
    });
    using client = clientOf({ base_url: server.url });

    expect(await answerOf(client)).toMatchObject([
      { failure: { message: expect.stringContaining("stream closed before response.completed") } },
    ]);
  });
});

describe("silence", () => {
  const idle = {
    failure: {
      kind: "idle_timeout",
      message: expect.stringContaining("idle timeout waiting for SSE"),
    },
  };

  test("before the answer counts", async () => {
    await using server = await startServer(() => undefined);
    using client = clientOf({ base_url: server.url, stream_idle_timeout_ms: 30 });

    expect(await answerOf(client)).toMatchObject([idle]);
  });

  test("counts though comments come", async () => {
    await using server = await startServer((_, outgoing) => {
      outgoing.write(textDelta("a"));
      const timer = setInterval(() => outgoing.write(": ping\n\n"), 5);
      outgoing.on("close", () => clearInterval(timer));
    });
    using client = clientOf({ base_url: server.url, stream_idle_timeout_ms: 60 });

    expect(await answerOf(client)).toMatchObject([text("a"), idle]);
  });

  test("is broken by any event", async () => {
    await using server = await startServer((_, outgoing) => {
      let count = 0;
      const timer = setInterval(() => {
        outgoing.write(++count < 8 ? "data: {}\n\n" : completed);
        if (count === 8) outgoing.end();
      }, 20);
      outgoing.on("close", () => clearInterval(timer));
    });
    using client = clientOf({ base_url: server.url, stream_idle_timeout_ms: 120 });

    expect(await answerOf(client)).toEqual([done]);
  });
});

describe("a login", () => {
  function loginWith(tokens: string[]): ModelAuthSource {
    let at = 0;
    return {
      current: async () => ({ kind: "chatgpt", token: tokens[at] ?? "" }),
      refresh: async () => ++at < tokens.length,
    };
  }

  test("that was refused is renewed and tried again at once", async () => {
    await using server = await startServer(({ headers }, outgoing) => {
      if (headers.authorization === "Bearer new") return answerWith(outgoing, completed);
      outgoing.writeHead(401);
      outgoing.end();
    });
    const auth = loginWith(["old", "new"]);
    using client = clientOf({ base_url: server.url, requires_openai_auth: true }, { auth });

    expect(await answerOf(client)).toEqual([done]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
  });

  test("whose refresh fails is a failure with its message", async () => {
    await using server = await startServer((_, outgoing) => {
      outgoing.writeHead(401);
      outgoing.end();
    });
    const auth = {
      ...loginWith(["old"]),
      refresh: () => Promise.reject(new Error("log in again")),
    };
    using client = clientOf({ base_url: server.url, requires_openai_auth: true }, { auth });

    expect(await answerOf(client)).toEqual([
      { type: "failed", failure: { kind: "auth", message: "log in again", retryable: false } },
    ]);
  });

  test("that cannot be renewed is a failure", async () => {
    await using server = await startServer((_, outgoing) => {
      outgoing.writeHead(401);
      outgoing.end();
    });
    const auth = loginWith(["old"]);
    using client = clientOf({ base_url: server.url, requires_openai_auth: true }, { auth });

    expect(await answerOf(client)).toMatchObject([{ failure: { kind: "auth", status: 401 } }]);
    expect(server.requests).toHaveLength(1);
  });
});
