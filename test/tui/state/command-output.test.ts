import fc from "fast-check";
import { expect, test } from "vitest";
import { CommandOutput } from "../../../src/tui/state/command-output.js";

function outputOf(...pieces: string[]): CommandOutput {
  const output = new CommandOutput();
  for (const piece of pieces) output.push(piece);
  return output;
}

test("short output is kept whole, however it arrives", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 }), (pieces) => {
      const output = outputOf(...pieces);
      const whole = pieces.join("");
      expect(output.text()).toBe(whole);
      expect(output.length).toBe(whole.length);
      expect(output.lineEnds).toBe(whole.split("\n").length - 1);
      expect(output.last(5)).toBe(whole.slice(-5));
    }),
  );
});

test("of long output the start and the end are kept, with a marker between", () => {
  const output = new CommandOutput();
  output.push("first\n");
  for (let line = 0; line < 60_000; line += 1) output.push(`line ${line}\n`);
  output.push("last\n");

  const text = output.text();
  expect(text.startsWith("first\nline 0\n")).toBe(true);
  expect(text.endsWith("line 59999\nlast\n")).toBe(true);
  expect(text.length).toBeLessThan(4 * 64 * 1024);
  expect(text).toContain("…");
  expect(output.keptLength).toBeLessThan(output.length);
  expect(output.lineEnds).toBe(60_002);
  expect(output.last(10)).toBe("9999\nlast\n");
});
