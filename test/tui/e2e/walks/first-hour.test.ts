import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { writeFirstHour } from "../../../../scripts/pictures/first-hour.js";
import { bin } from "../../../support/bin.js";
import { hasTmux } from "../../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("the first hour", () => {
  test("is as docs/first-hour.md shows it", async () => {
    const written = readFileSync("docs/first-hour.md", "utf8");

    expect(await writeFirstHour(bin)).toBe(written);
  });
});
