import { expect, test } from "vitest";
import { findSetting } from "../../../src/project/git/config-file.js";

const name = { section: "remote", subsection: "origin", key: "url" };

test.each([
  ["plain", '[remote "origin"]\n\turl = a\n', "a"],
  ["another section first", '[remote "other"]\nurl = b\n[remote "origin"]\nurl = a', "a"],
  ["twice: the first counts", '[remote "origin"]\nurl = a\nurl = b\n', "a"],
  ["letters of any size", '[Remote "origin"]\nURL = a\n', "a"],
  ["a subsection of another size is another one", '[remote "Origin"]\nurl = a\n', undefined],
  ["on the line of the section", '[remote "origin"] url = a\n', "a"],
  ["the old form", "[remote.origin]\nurl = a\n", "a"],
  ["a comment after it", '[remote "origin"]\nurl = a # b\n', "a"],
  ["a comment in its place", '[remote "origin"]\n# url = a\n', undefined],
  ["quotes keep blanks and signs", '[remote "origin"]\nurl = " a # b "\n', " a # b "],
  ["half quoted", '[remote "origin"]\nurl = a" b "c\n', "a b c"],
  ["escapes", '[remote "origin"]\nurl = "a\\"b\\\\c"\n', 'a"b\\c'],
  ["a line that goes on", '[remote "origin"]\nurl = a\\\nb\n', "ab"],
  ["Windows line ends", '[remote "origin"]\r\nurl = a\r\n', "a"],
  ["in a section that has ended", '[remote "origin"]\n[core]\nurl = a\n', undefined],
  ["no section", "url = a\n", undefined],
])("a setting is read: %s", (_what, text, value) => {
  expect(findSetting(text, name)).toBe(value);
});
