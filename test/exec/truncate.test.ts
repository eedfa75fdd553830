import fc from "fast-check";
import { expect, test } from "vitest";
import { truncateToLines } from "../../src/exec/format-output.js";
import {
  answerLimit,
  approxTokens,
  mergeAndTruncateItems,
  outputLimitFor,
  truncateAtLineEnds,
  truncateItems,
  truncateText,
  truncateWithNotice,
} from "../../src/exec/index.js";

const bytes = (limit: number) => ({ mode: "bytes", limit }) as const;
const tokens = (limit: number) => ({ mode: "tokens", limit }) as const;

test("the middle of a text is replaced by a marker with its size", () => {
  const text = "this is an example of a long output that should be truncated\nalso some other line";

  expect(truncateText(text, bytes(30))).toBe("this is an exam…51 chars truncated…some other line");
  expect(truncateText(text, tokens(10))).toBe(
    "this is an example o…11 tokens truncated…also some other line",
  );
  expect(truncateText("😀😀😀😀😀😀😀😀😀😀\nsecond line with text\n", bytes(20))).toBe(
    "😀😀…21 chars truncated…with text\n",
  );
  expect([
    truncateText("", bytes(0)),
    truncateText("ab", bytes(0)),
    truncateText("ab", tokens(0)),
  ]).toEqual(["", "…2 chars truncated…", "…1 tokens truncated…"]);
});

test("a truncated text starts with its original length, in later versions also in tokens", () => {
  const text = "line one\nline two\n";

  expect(truncateWithNotice(text, bytes(18))).toBe(text);
  expect(truncateWithNotice(text, bytes(4))).toBe(
    "Total output lines: 2\n\nli…14 chars truncated…o\n",
  );
  expect(truncateWithNotice(text, tokens(1), { tokenNotice: true })).toBe(
    "Warning: truncated output (original token count: 5)\nTotal output lines: 2\n\nli…4 tokens truncated…o\n",
  );
});

test("a truncated text never exceeds its share of either end, nor splits a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, limit) => {
      fc.pre(!text.includes("\ufffd")); // which marks a broken character below
      const cut = truncateText(text, bytes(limit));
      if (Buffer.byteLength(text) <= limit) return cut === text;
      const [head = "", tail = ""] = cut.split(/…\d+ chars truncated…/);
      const kept = Buffer.byteLength(head) + Buffer.byteLength(tail);
      return (
        text.startsWith(head) && text.endsWith(tail) && kept <= limit && !cut.includes("\ufffd")
      );
    }),
  );
});

test("coding models count in tokens, others in bytes; the user's limit is in tokens", () => {
  expect([
    outputLimitFor("gpt-5.1"),
    outputLimitFor("gpt-5.1-codex-max"),
    outputLimitFor("codex-mini-latest"),
    outputLimitFor("gpt-5", 50),
    outputLimitFor("gpt-5-codex", 50),
  ]).toEqual([bytes(10_000), tokens(10_000), tokens(10_000), bytes(200), tokens(50)]);
  expect(outputLimitFor("gpt-6-sol")).toEqual(tokens(10_000));
  expect(outputLimitFor("llama-4")).toEqual(bytes(10_000));
});

test("an answer has the limit that the model asks for, but not more than its own", () => {
  expect([
    answerLimit(undefined, tokens(20_000)),
    answerLimit(5, tokens(10)),
    answerLimit(500, tokens(10)),
    answerLimit(undefined, bytes(100)),
    answerLimit(5, bytes(100)),
  ]).toEqual([tokens(10_000), tokens(5), tokens(10), bytes(100), tokens(5)]);
});

test("tokens are counted four bytes each, rounded up", () => {
  expect([-1, 0, 1, 4, 5].map(approxTokens)).toEqual([0, 0, 1, 1, 2]);
});

test("items are cut one by one; pictures stay", () => {
  const picture = { type: "input_image", image_url: "img" };
  const text = (value: string) => ({ type: "input_text", text: value });

  expect(
    truncateItems([text("abcd"), picture, text("efghij"), text("kl"), text("m")], bytes(6)),
  ).toEqual([
    text("abcd"),
    picture,
    text("e…4 chars truncated…j"),
    text("[omitted 2 text items ...]"),
  ]);
});

test("texts of items are joined before they are cut, unless they fit", () => {
  const text = (value: string) => ({ type: "input_text", text: value });
  const secret = { type: "encrypted_content", encrypted_content: "enc" };

  expect(mergeAndTruncateItems([text(""), text("abc")], bytes(0))).toEqual({
    items: [
      text(
        "Warning: truncated output (original token count: 1)\nTotal output lines: 1\n\n…3 chars truncated…",
      ),
    ],
    originalTokens: 1,
  });
  expect(mergeAndTruncateItems([text("ab"), secret], bytes(2))).toEqual({
    items: [text("ab"), secret],
  });
  expect(mergeAndTruncateItems([secret], bytes(0))).toEqual({ items: [secret] });
});

test("of more than 256 lines the first and the last 128 are shown", () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);

  expect(truncateToLines(lines.slice(0, 256).join("\n"))).toBe(lines.slice(0, 256).join("\n"));
  expect(truncateToLines(`${lines.join("\n")}\n`)).toBe(
    `${lines.slice(0, 128).join("\n")}\n[... omitted 44 of 300 lines ...]\n\n${lines.slice(-128).join("\n")}`,
  );
});

test("one very long line keeps its beginning; many long ones fill 10 KiB", () => {
  const long = truncateToLines("y".repeat(30_000));
  const many = truncateToLines(Array.from({ length: 200 }, () => "ä".repeat(100)).join("\n"));

  expect(long).toBe(`${"y".repeat(5120)}\n[... omitted 0 of 1 lines ...]\n\n`);
  expect(Buffer.byteLength(many)).toBeLessThanOrEqual(10_240);
  expect(many).not.toContain("\ufffd");
});

test("a middle is taken out at line ends where there are some", () => {
  const text = Array.from(
    { length: 20 },
    (_, index) => `${String(index + 1).padStart(3, "0")}\n`,
  ).join("");

  expect(truncateAtLineEnds(text, 80)).toEqual({ text });
  expect(truncateAtLineEnds(text, 64)).toEqual({
    text: "001\n002\n003\n004\n…12 tokens truncated…\n017\n018\n019\n020\n",
    originalTokens: 20,
  });
  expect(truncateAtLineEnds(text, 0)).toEqual({
    text: "…20 tokens truncated…",
    originalTokens: 20,
  });
  expect(truncateAtLineEnds("x".repeat(100), 10)).toEqual({
    text: "…25 tokens truncated…",
    originalTokens: 25,
  });
});
