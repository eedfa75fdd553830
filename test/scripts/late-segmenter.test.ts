import { expect, test } from "vitest";
import { LateSegmenter } from "../../scripts/late-segmenter.mjs";

test.each(["grapheme", "word"] as const)(
  "it cuts a text into the same pieces, by %s",
  (granularity) => {
    const text = "two words, 👩‍👩‍👧 and e\u0301";

    const late = new LateSegmenter(undefined, { granularity });

    expect([...late.segment(text)]).toEqual([
      ...new Intl.Segmenter(undefined, { granularity }).segment(text),
    ]);
  },
);

test("it is not made before it is asked", () => {
  expect(() => new LateSegmenter("no such language!")).not.toThrow();
  expect(() => new LateSegmenter("no such language!").segment("a")).toThrow(RangeError);
});
