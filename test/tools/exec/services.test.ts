import { describe, expect, test } from "vitest";
import { ApprovedCommands, ApprovedPaths } from "../../../src/tools/exec/services.js";

describe("ApprovedCommands", () => {
  test.each<[string[], string, boolean]>([
    [["npm", "test"], "/w", true],
    [["npm", "test"], "/other", false],
    [["npm", "test", "--all"], "/w", false],
    [["npm test"], "/w", false],
    [["/w", "npm", "test"], "", false],
  ])("after `npm test` in /w, %j in %s is approved: %s", (argv, cwd, expected) => {
    const approved = new ApprovedCommands();
    approved.add(["npm", "test"], "/w");

    expect(approved.has(argv, cwd)).toBe(expected);
  });
});

describe("ApprovedPaths", () => {
  test("cover the files of a patch, with both ends of a move", () => {
    const approved = new ApprovedPaths();
    approved.add([{ path: "/w/a" }, { path: "/w/b", moveTo: "/w/c" }], undefined);

    expect(approved.haveAll([{ path: "/w/a" }, { path: "/w/c" }])).toBe(true);
    expect(approved.haveAll([{ path: "/w/a" }, { path: "/w/d" }])).toBe(false);
    expect(approved.haveAll([{ path: "/w/a", moveTo: "/w/d" }])).toBe(false);
  });

  test.each([
    ["/data/x", true],
    ["/data/deep/x", true],
    ["/data", false],
    ["/database/x", false],
    ["/data/../etc/x", false],
  ])("a granted root /data covers %s: %s", (path, expected) => {
    const approved = new ApprovedPaths();
    approved.add([], "/data");

    expect(approved.haveAll([{ path }])).toBe(expected);
  });
});
