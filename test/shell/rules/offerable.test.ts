import { expect, test } from "vitest";
import { isOfferable } from "../../../src/shell/index.js";

test.each([
  [["npm", "install"]],
  [["git", "push"]],
  [["touch", "made.txt"]],
  [["python3", "tools/build.py"]],
  [["python3", "-m", "pytest"]],
  [["node", "test.js"]],
  [["bash", "deploy.sh"]],
  [["/bin/bash", "-lc", "echo hi > x.txt"]],
])("[terminal R5] %j can become a lasting rule", (prefix) => {
  expect(isOfferable(prefix)).toBe(true);
});

test.each([
  [[]],
  [["/bin/bash", "-lc", "python3 - <<EOF\nprint(1)\nEOF"]],
  [["bash"]],
  [["/bin/sh", "-c"]],
  [["bash", "-o", "pipefail"]],
  [["fish", "-c", "ls"]],
  [["python3", "-c", "print(1)"]],
  [["python3", "-m"]],
  [["python3.12"]],
  [["node", "-e", "1"]],
  [["perl", "-ne", "print"]],
  [["java", "-cp", "x"]],
  [["sudo", "ls"]],
  [["env", "A=1", "ls"]],
  [["git", "-c", "core.pager=x"]],
  [["docker", "run"]],
  [["C:\\tools\\PowerShell.exe", "-Command", "ls"]],
  [["cmd", "/c", "dir"]],
])("[terminal R5] %j is never offered as a lasting rule", (prefix) => {
  expect(isOfferable(prefix)).toBe(false);
});
