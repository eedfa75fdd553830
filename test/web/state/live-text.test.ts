import { expect, test } from "vitest";
import { headLength, LiveText } from "../../../src/web/state/live-text.js";

test("a short text is complete", () => {
  const text = new LiveText("a");
  text.append("b");

  expect([text.head, text.tail, text.length, text.omitted]).toEqual(["ab", "", 2, 0]);
});

test("of a long text the beginning and the end remain, however it arrives", () => {
  const whole = Array.from({ length: 40_000 }, (_, at) => `w${at} `).join("");
  for (const size of [1000, 4096, whole.length]) {
    const text = new LiveText();
    for (let at = 0; at < whole.length; at += size) text.append(whole.slice(at, at + size));

    expect(text.length).toBe(whole.length);
    expect(text.head).toBe(whole.slice(0, headLength));
    expect(whole.endsWith(text.tail)).toBe(true);
    expect(text.tail.length).toBeGreaterThan(4000);
    expect(text.head.length + text.tail.length + text.omitted).toBe(whole.length);
    expect(text.tail.length).toBeLessThan(20_000);
  }
});
