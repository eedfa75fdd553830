import { expect, test } from "vitest";
import { lastingRule } from "../../../src/tui/session/lasting-rule.js";

test.each([
  [["npm", "install"]],
  [["git", "push"]],
  [["python3", "tools/build.py"]],
  [["python3", "-m", "pytest"]],
  [["node", "test.js"]],
])("[terminal R5] %j can become a lasting rule", (prefix) => {
  expect(lastingRule(prefix)).toEqual(prefix);
});

test.each([
  [null],
  [[]],
  [["/bin/bash", "-lc", "python3 - <<EOF\nprint(1)\nEOF"]],
  [["bash"]],
  [["/bin/sh", "-c"]],
  [["python3", "-c", "print(1)"]],
  [["python3", "-m"]],
  [["python3.12"]],
  [["node", "-e", "1"]],
  [["sudo", "ls"]],
  [["env", "A=1", "ls"]],
  [["C:\\tools\\PowerShell.exe", "-Command", "ls"]],
])("[terminal R5] %j is never offered as a lasting rule", (prefix) => {
  expect(lastingRule(prefix)).toBeUndefined();
});
