import { expect, test } from "vitest";
import { toUserShell, type UserShell, withUserProfile } from "../../src/shell/index.js";

const bash = toUserShell("/bin/bash", "/home/me");
const present = () => true;

test("bash and zsh are known by their paths, others are not", () => {
  expect(bash).toEqual({ kind: "bash", path: "/bin/bash", rcPath: "/home/me/.bashrc" });
  expect(toUserShell("/usr/bin/zsh", "/home/me")).toEqual({
    kind: "zsh",
    path: "/usr/bin/zsh",
    rcPath: "/home/me/.zshrc",
  });
  expect(toUserShell("/usr/bin/fish", "/home/me")).toEqual({ kind: "unknown" });
  expect(toUserShell(null, "/home/me")).toEqual({ kind: "unknown" });
});

test.each([
  [["ls", "a b"], "source /home/me/.bashrc && (ls 'a b')"],
  [["bash", "-lc", "ls | wc"], "source /home/me/.bashrc && (ls | wc)"],
  [["bash", "-lc", "ls # all"], "source /home/me/.bashrc && (ls # all\n)"],
  [["bash", "-c", "ls"], "source /home/me/.bashrc && (bash -c ls)"],
])("%j runs as %j", (argv, script) => {
  expect(withUserProfile(bash, argv, present)).toEqual(["/bin/bash", "-lc", script]);
});

test("without a start-up file the shell runs the command alone", () => {
  expect(withUserProfile(bash, ["ls"], () => false)).toEqual(["/bin/bash", "-lc", "ls"]);
});

test("a start-up file in an odd place is quoted", () => {
  const shell = toUserShell("/bin/bash", "/home/my name");

  expect(withUserProfile(shell, ["ls"], present)?.[2]).toBe(
    "source '/home/my name/.bashrc' && (ls)",
  );
});

test("an unknown shell leaves the command as it is", () => {
  expect(withUserProfile({ kind: "unknown" }, ["ls"], present)).toBeUndefined();
});

test("PowerShell runs scripts of bash with bash where there is one", () => {
  const alone: UserShell = { kind: "powershell", exe: "pwsh.exe" };
  const withBash: UserShell = { ...alone, bash: "C:\\bash.exe" };

  expect(withUserProfile(withBash, ["bash", "-lc", "ls"], present)).toEqual([
    "C:\\bash.exe",
    "-lc",
    "ls",
  ]);
  expect(withUserProfile(alone, ["bash", "-lc", "ls"], present)).toEqual([
    "pwsh.exe",
    "-NoProfile",
    "-Command",
    "ls",
  ]);
  expect(withUserProfile(alone, ["echo", "a b"], present)).toEqual([
    "pwsh.exe",
    "-NoProfile",
    "-Command",
    "echo 'a b'",
  ]);
  expect(withUserProfile(alone, ["pwsh.exe", "-c", "ls"], present)).toEqual([
    "pwsh.exe",
    "-c",
    "ls",
  ]);
});
