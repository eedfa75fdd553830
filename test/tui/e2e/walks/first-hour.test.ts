import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { writeFirstHour } from "../../../../scripts/pictures/first-hour.js";
import { hasTmux } from "../../../support/terminal.js";

describe.skipIf(!(await hasTmux()))("the first hour", () => {
  test("is as docs/first-hour.md shows it", async () => {
    const written = readFileSync("docs/first-hour.md", "utf8");

    expect(await writeFirstHour(resolve("bin/quire.js"))).toBe(written);
  });
});
