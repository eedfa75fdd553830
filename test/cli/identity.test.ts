import { execFile } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { quireCommand } from "../support/bin.js";
import { says } from "../support/model.js";
import { startProgram } from "../support/program.js";
import { createUser } from "./support/run-quire.js";

const run = promisify(execFile);

describe("[clients 8] being codex", () => {
  test.each([
    [["--version"], { QUIRE_AS: "codex" }, "codex-cli 0.166.0\n"],
    [["-V"], { QUIRE_AS: "codex@0.146.0" }, "codex-cli 0.146.0\n"],
    [["--as", "codex@0.99.0-alpha.1", "--version"], {}, "codex-cli 0.99.0-alpha.1\n"],
    [["exec", "--as=codex", "--era", "0.104", "-V"], {}, "codex-cli 0.104.0\n"],
    [["--version"], { QUIRE_AS: "codex@0.146.0", QUIRE_ERA: "0.42" }, "codex-cli 0.146.0\n"],
  ])("%j with %j is its version", async (args, env, stdout) => {
    using user = createUser();

    expect(await user.run(args, { env })).toEqual({ code: 0, stdout, stderr: "" });
  });

  test("may be undone for a link of that name", async () => {
    using user = createUser();

    const { stdout } = await user.runAsCodex(["--version"], { env: { QUIRE_AS: "quire" } });

    expect(stdout).toMatch(/^quire \d/);
  });

  test.each(["claude", "codex@", "codex@latest"])("%s is no identity", async (as) => {
    using user = createUser();

    const { code, stderr } = await user.run(["--as", as, "features", "list"]);

    expect(code).toBe(2);
    expect(stderr).toContain("codex, codex@VERSION (as in codex@0.146.0) or quire");
    expect(stderr).toContain(as);
  });

  test("is in the texts: help, errors and completions", async () => {
    using user = createUser();
    const env = { QUIRE_AS: "codex" };

    const help = await user.run(["--help"], { env });
    const verb = await user.run(["mcp", "add", "--help"], { env });
    const slip = await user.run(["exce"], { env });
    const listed = await user.run(["mcp", "list"], { env });
    const noModel = await user.run(["exec", "--skip-git-repo-check", "hi"], { env });

    expect(help.stdout).toContain("Usage: codex [OPTIONS] [PROMPT]");
    expect(verb.stdout).toContain("Usage: codex mcp add");
    expect(verb.stdout).toContain("  codex mcp add docs");
    expect(slip.stderr).toMatch(/^codex: .*Did you mean `codex exec`\?/);
    expect(listed.stdout).toContain("`codex mcp add");
    expect(noModel.stderr).toContain("`codex login`");
    for (const { stdout, stderr } of [help, verb, slip, listed, noModel]) {
      expect(stdout + stderr).not.toMatch(/`quire|^quire/m);
    }
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      const { stdout } = await user.run(["completion", shell], { env });
      expect(stdout, shell).toMatch(/\bcodex\b/);
      expect(stdout, shell).not.toMatch(/\bquire\b/);
    }
  });

  test("is sent to clients and to the model provider", async () => {
    await using program = await startProgram({
      args: ["app-server"],
      env: { QUIRE_AS: "codex@0.146.0" },
      model: [says("Hello.")],
    });

    program.send({ id: 1, method: "initialize", params: { clientInfo } });
    const { result } = await program.until<Answer>(({ id }) => id === 1);
    program.send({ method: "initialized" });
    program.send({ id: 2, method: "thread/start", params: {} });
    const started = await program.until<Answer>(({ id }) => id === 2);
    const threadId = started.result.thread?.id;
    const input = [{ type: "text", text: "hi" }];
    program.send({ id: 3, method: "turn/start", params: { threadId, input } });
    await program.until<{ method?: string }>(({ method }) => method === "turn/completed");

    expect(result.userAgent).toMatch(/^test\/0\.146\.0 /);
    expect(started.result.thread?.cliVersion).toBe("0.146.0");
    const { headers } = program.model.requests.at(-1) ?? {};
    expect(headers?.["user-agent"]).toContain("/0.146.0 ");
  });

  test("comes with the name by `exec -a` and by scripts that start it", async () => {
    using user = createUser();
    const script = join(user.project, "codex");
    const program = quireCommand([]).flat();
    const forms = {
      "exec -a": ["bash", "-c", `exec -a codex ${program.join(" ")} --version`],
      "a script that waits": ["bash", "-c", "./codex --version; true"],
    };
    writeFileSync(script, `#!/bin/sh\n"${program.join('" "')}" "$@"\nexit $?\n`);
    chmodSync(script, 0o755);

    for (const [form, [shell = "", ...args]] of Object.entries(forms)) {
      const { stdout } = await run(shell, args, { cwd: user.project });
      expect(stdout, form).toMatch(/^codex-cli /);
    }
    writeFileSync(script, `#!/bin/sh\nexec env "${program.join('" "')}" "$@"\n`);
    const { stdout } = await run("bash", ["-c", "./codex --version; true"], { cwd: user.project });
    expect(stdout, "a script that is replaced").toMatch(/^codex-cli /);
  });

  test("is not inherited from a program that only has the name", async () => {
    using user = createUser();
    const other = join(user.project, "codex");
    writeFileSync(other, "#!/bin/sh\nexec something else\n");

    const { stdout } = await user.run(["--version"], { env: { _: other } });

    expect(stdout).toMatch(/^quire \d/);
  });
});

const clientInfo = { name: "test", title: null, version: "1" };

interface Answer {
  id: number;
  result: { userAgent?: string; thread?: { id: string; cliVersion: string } };
}
