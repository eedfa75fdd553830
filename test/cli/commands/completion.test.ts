import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { createUser } from "../support/run-quire.js";

/** Returns the completions of bash after these words. */
function offered(script: string, ...words: string[]): string[] {
  const call = `COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _quire; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ["-c", `${script}\n${call}`, "bash", ...words];
  return execFileSync("bash", args, { encoding: "utf8" }).split("\n").filter(Boolean);
}

describe("quire completion", () => {
  test("for bash offers verbs, options and values where they belong", async () => {
    using user = createUser();
    const { code, stdout } = await user.run(["completion", "bash"]);

    expect(code).toBe(0);
    expect(offered(stdout, "quire", "mcp-")).toEqual(["mcp-server"]);
    expect(offered(stdout, "quire", "mcp", "l")).toEqual(["list", "login", "logout"]);
    expect(offered(stdout, "quire", "-s", "")).toEqual([
      "read-only",
      "workspace-write",
      "danger-full-access",
    ]);
    expect(offered(stdout, "quire", "sessions", "prune", "--d")).toEqual(["--dry-run"]);
    expect(offered(stdout, "quire", "mcp", "add", "--e")).toEqual(["--env", "--era"]);
  });

  test.each([
    ["zsh", "#compdef quire", "(/mcp/add) at="],
    ["fish", "function __quire_at", "complete -c quire -n '__quire_at \"/mcp\"' -a add"],
    ["powershell", "Register-ArgumentCompleter", "'/mcp/add' = '/mcp/add'"],
  ])("for %s has every verb", async (shell, first, line) => {
    using user = createUser();

    const { stdout } = await user.run(["completion", shell]);

    expect(stdout.startsWith(first)).toBe(true);
    expect(stdout).toContain(line);
  });

  test("for a shell we do not know names those we do", async () => {
    using user = createUser();

    expect(await user.run(["completion", "tcsh"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "quire: Expected SHELL to be one of bash, zsh, fish, powershell (got tcsh)\n",
    });
  });
});
