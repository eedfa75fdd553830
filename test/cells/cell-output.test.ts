import { describe, expect, test } from "vitest";
import { toCellOutput, toPicture } from "../../src/cells/cell-output.js";
import type { ToolOutputContent } from "../../src/protocol/types.js";

const text = (value: string): ToolOutputContent => ({ type: "input_text", text: value });
const image: ToolOutputContent = { type: "input_image", image_url: "data:x" };
const head = (state: string, seconds = "0.0") =>
  `Script ${state}\nWall time ${seconds} seconds\nOutput:\n`;

describe("the output of a cell", () => {
  test.each([
    ["completed", "completed", true],
    ["failed", "failed", false],
    ["terminated", "terminated", true],
    [{ running: 7 }, "running with cell ID 7", true],
  ] as const)("of state %j begins with it", (state, shown, success) => {
    expect(toCellOutput({ state, parts: [], ms: 0 })).toEqual({ text: head(shown), success });
  });

  test.each([
    [0, "0.0"],
    [49, "0.0"],
    [51, "0.1"],
    [999, "1.0"],
    [12_345, "12.3"],
  ])("%d ms are %s seconds", (ms, seconds) => {
    expect(toCellOutput({ state: "completed", parts: [], ms }).text).toBe(
      head("completed", seconds),
    );
  });

  test("has the parts in their order, and the error as the last", () => {
    const parts = [text("a"), image, text("b")];

    expect(toCellOutput({ state: "failed", parts, error: "Error: x", ms: 0 }).parts).toEqual([
      text(head("failed")),
      ...parts,
      text("Script error:\nError: x"),
    ]);
  });

  test.each([
    [1, "abcd", undefined],
    [1, "abcde", "ab…1 tokens truncated…de"],
    [0, "abcd", "…1 tokens truncated…"],
    [2, "a".repeat(4) + "b".repeat(96), "aaaa…23 tokens truncated…bbbb"],
  ])("a limit of %d tokens for %s", (limit, value, shown) => {
    const { parts } = toCellOutput({ state: "completed", parts: [text(value)], ms: 0 }, limit);
    const tokens = Math.ceil(value.length / 4);
    const expected =
      shown === undefined
        ? value
        : `Warning: truncated output (original token count: ${tokens})\nTotal output lines: 1\n\n${shown}`;

    expect(parts).toEqual([text(head("completed")), text(expected)]);
  });

  test("the limit is for all texts together; images stay, after the text", () => {
    const parts = [text("aaaa"), image, text("bbbb")];
    const within = toCellOutput({ state: "completed", parts, ms: 0 }, 3).parts;
    const over = toCellOutput({ state: "completed", parts, ms: 0 }, 2).parts;

    expect(within?.slice(1)).toEqual(parts);
    expect(over?.slice(1)).toEqual([
      text(
        "Warning: truncated output (original token count: 3)\nTotal output lines: 2\n\naaaa…1 tokens truncated…bbbb",
      ),
      image,
    ]);
  });

  test("the usual limit is 10000 tokens", () => {
    const parts = (length: number) =>
      toCellOutput({ state: "completed", parts: [text("x".repeat(length))], ms: 0 }).parts;

    expect(parts(40_000)?.[1]).toEqual(text("x".repeat(40_000)));
    expect(JSON.stringify(parts(40_001)?.[1])).toContain("…1 tokens truncated…");
  });
});

describe("pictures of a script", () => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]);
  const url = (bytes: Buffer, type = "png") =>
    `data:image/${type};base64,${bytes.toString("base64")}`;
  const bytes = (start: string) => Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(30)]);

  test.each([
    ["PNG", url(png)],
    ["JPEG", url(bytes("\xff\xd8\xff\xe0"), "jpeg")],
    ["GIF", url(bytes("GIF89a"), "gif")],
    ["WebP", url(bytes("RIFF\0\0\0\0WEBP"), "webp")],
  ])("%s is sent as it is", (_, image_url) => {
    expect(toPicture(image_url, null)).toEqual({ type: "input_image", image_url });
  });

  test.each([
    ["an address", "https://example.com/a.png"],
    ["a file", "file:///a.png"],
    ["nothing", ""],
    ["another type", "data:text/plain;base64,AAAA"],
    ["text without base64", "data:image/png,abc"],
    ["bytes that are no picture", url(Buffer.alloc(64))],
    ["a picture without content", url(png.subarray(0, 16))],
    ["a RIFF file that is no WebP", url(bytes("RIFF\0\0\0\0WAVE"), "webp")],
    ["more than 20 MiB", `${url(png)}${"A".repeat(20 * 1024 * 1024)}`],
  ])("%s is replaced by a text", (_, image_url) => {
    expect(toPicture(image_url, null)).toEqual(
      text("image content omitted because it could not be processed"),
    );
  });

  test.each(["high", "original", "auto"])("detail %s is passed on", (detail) => {
    expect(toPicture(url(png), detail)).toMatchObject({ type: "input_image", detail });
  });

  test.each(["low", "", "HIGH"])("detail %j is not supported", (detail) => {
    expect(toPicture(url(png), detail)).toEqual(
      text(
        `image content omitted because detail '${detail}' is not supported; use 'high', 'original', or 'auto'`,
      ),
    );
  });
});
