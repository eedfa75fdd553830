import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { limitDeltas, readOutput, waitFor, waitForPipes } from "../../src/exec/child.js";
import { createDeferred } from "../../src/lib/async.js";

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe("limitDeltas", () => {
  test("splits output into chunks of at most 8 KiB", () => {
    const sizes: number[] = [];
    const onOutput = limitDeltas((_, chunk) => sizes.push(chunk.length));

    onOutput("stdout", Buffer.alloc(8192 * 2 + 1));

    expect(sizes).toEqual([8192, 8192, 1]);
  });

  test("stops after 10,000 chunks of both streams", () => {
    const onChunk = vi.fn();
    const onOutput = limitDeltas(onChunk);

    onOutput("stdout", Buffer.alloc(8192 * 9_999));
    onOutput("stderr", Buffer.alloc(8192 * 3));

    expect(onChunk).toHaveBeenCalledTimes(10_000);
  });

  test("returns the promise of the last chunk, so that the reader waits for it", () => {
    const rooms = [Promise.resolve(1), Promise.resolve(2)];
    let at = 0;
    const onOutput = limitDeltas(() => rooms[at++]);

    expect(onOutput("stdout", Buffer.alloc(8193))).toBe(rooms[1]);
  });
});

describe("readOutput", () => {
  test("pauses the stream until the promise resolves", async () => {
    const stream = new PassThrough();
    const room = createDeferred<void>();
    const chunks: string[] = [];
    readOutput(stream, (chunk) => {
      chunks.push(chunk.toString());
      return chunks.length === 1 ? room.promise : undefined;
    });
    stream.write("a");
    await nextTick();
    stream.write("b");
    await nextTick();
    expect(chunks).toEqual(["a"]);

    room.resolve();
    await nextTick();
    await nextTick();

    expect(chunks).toEqual(["a", "b"]);
  });

  test("after the end nothing is held back", async () => {
    const stream = new PassThrough();
    const chunks: string[] = [];
    const release = readOutput(stream, (chunk) => {
      chunks.push(chunk.toString());
      return new Promise(() => {});
    });
    stream.write("a");
    await nextTick();
    stream.write("b");

    await release();
    await nextTick();

    expect(chunks).toEqual(["a", "b"]);
  });

  test("a process without the stream has nothing to release", async () => {
    await expect(readOutput(null, () => undefined)()).resolves.toBeUndefined();
  });
});

describe("waitFor", () => {
  const forever = new Promise(() => {});

  test("resolves with what is first", async () => {
    const aborting = new AbortController();
    const aborted = waitFor(forever, 60_000, aborting.signal);
    aborting.abort();

    expect(await aborted).toBe("abort");
    expect(await waitFor(Promise.resolve(), 60_000)).toBe("done");
    expect(await waitFor(forever, 1)).toBe("timeout");
    expect(await waitFor(forever, 60_000, AbortSignal.abort())).toBe("abort");
  });

  test("a time beyond the range of timers does not end at once", async () => {
    const done = createDeferred<void>();
    const waiting = waitFor(done.promise, Number.MAX_SAFE_INTEGER);
    await nextTick();
    done.resolve();

    expect(await waiting).toBe("done");
  });
});

test("pipes that stay open are waited for only so long", async () => {
  await waitForPipes(new Promise(() => {}), 1);
  await waitForPipes(Promise.resolve(), 60_000);
});
