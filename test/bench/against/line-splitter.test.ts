import { expect, test } from "vitest";
import { LineSplitter } from "../../../bench/against/line-splitter.js";

test("lines are split correctly wherever the bytes are cut", () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line.toString()));

  for (const piece of ["one\ntw", "o", "\nthree\n", "fo"]) splitter.push(Buffer.from(piece));

  expect(lines).toEqual(["one", "two", "three"]);
});
