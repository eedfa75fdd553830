import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Confined, describeConfined, type Scene, startConfined } from "./support/confined.js";

describeConfined("protected names", (confined) => {
  test("a repository's own directory can be read but not changed", async () => {
    const scene = await sceneWith("mkdir -p .git/hooks; echo '[core]' > .git/config");

    const result = await confined().sh(
      scene,
      `cat .git/config
       echo x > .git/hooks/pre-commit || echo 1; echo x >> .git/config || echo 2
       rm -rf .git/hooks || echo 3; mv .git .git2 || echo 4; rmdir .git || echo 5
       ln .git/config hard || echo 6; chmod 777 .git || echo 7`,
    );

    expect(result.stdout).toBe("[core]\n1\n2\n3\n4\n5\n6\n7\n");
    expect(readdirSync(join(scene.ws, ".git")).sort()).toEqual(["config", "hooks"]);
    expect(readFileSync(join(scene.ws, ".git/config"), "utf8")).toBe("[core]\n");
  });

  test.each([".codex", ".agents"])("files in %s stay unchanged", async (name) => {
    const scene = await sceneWith(`mkdir ${name}; echo a=1 > ${name}/config.toml`);

    const result = await confined().sh(
      scene,
      `echo '[mcp_servers.x]' >> ${name}/config.toml || echo 1; touch ${name}/new || echo 2
       mv ${name} other || echo 3`,
    );

    expect(result.stdout).toBe("1\n2\n3\n");
    expect(readFileSync(join(scene.ws, name, "config.toml"), "utf8")).toBe("a=1\n");
    expect(readdirSync(join(scene.ws, name))).toEqual(["config.toml"]);
  });

  test("protected names that are missing cannot be made", async () => {
    const scene = confined().scene();

    const result = await confined().sh(
      scene,
      `for name in .git .codex .agents; do
         mkdir -p $name/hooks; echo evil > $name/hooks/x; echo evil > $name; ln -sfn /tmp $name
         mv $name moved; rmdir $name; chmod 777 $name; mkdir -p $name/again; echo evil > $name/x
       done 2>/dev/null; ls -A`,
    );

    expect(result.stdout).toBe(".agents\n.codex\n.git\n");
    expect(readdirSync(scene.ws)).toEqual([]);
  });

  test("an empty workspace is empty afterwards", async () => {
    const scene = confined().scene();

    await confined().run(scene, ["true"]);

    expect(readdirSync(scene.ws)).toEqual([]);
  });

  test("an empty directory of the user's is still there afterwards, and was not writable", async () => {
    const scene = await sceneWith("mkdir .codex");

    const result = await confined().sh(scene, "touch .codex/x || echo refused");

    expect(result.stdout).toBe("refused\n");
    expect(readdirSync(scene.ws)).toEqual([".codex"]);
    expect(readdirSync(join(scene.ws, ".codex"))).toEqual([]);
  });

  test("leftovers of a killed agent in the workspace are removed with the next command", async () => {
    const scene = confined().scene();
    const agent = await startConfined(confined().identity);
    void agent.sh(scene, "touch ready; sleep 30");
    await until(() => existsSync(join(scene.ws, "ready")));
    agent.process.kill("SIGKILL");
    await new Promise((resolve) => agent.process.once("exit", resolve));

    await confined().sh(scene, "rm ready");

    expect(readdirSync(scene.ws)).toEqual([]);
  });

  test("a repository inside the workspace is protected too, and cannot be moved away", async () => {
    const scene = await sceneWith(
      "mkdir -p a/b/inner/.git/hooks a/b/inner/src other; echo '[core]' > a/b/inner/.git/config",
    );

    const result = await confined().sh(
      scene,
      `touch a/b/inner/src/ok && echo ok
       echo x > a/b/inner/.git/hooks/pre-commit || echo 1; echo x >> a/b/inner/.git/config || echo 2
       mv a/b/inner a/b/moved || echo 3; mv a/b moved || echo 4; mv a moved || echo 5
       mv other renamed && echo moved`,
    );

    expect(result.stdout).toBe("ok\n1\n2\n3\n4\n5\nmoved\n");
    expect(readdirSync(join(scene.ws, "a/b/inner/.git/hooks"))).toEqual([]);
  });

  test("the git directory behind a .git file is protected where it lies", async () => {
    const scene = await sceneWith(
      `mkdir -p real/worktrees/w wt; echo 'gitdir: ../real/worktrees/w' > wt/.git
       echo ../.. > real/worktrees/w/commondir; echo '[core]' > real/config`,
    );

    const result = await confined().sh(
      scene,
      `touch ok; echo x > .git || echo 1; rm -f .git || echo 2
       echo x > ../real/worktrees/w/HEAD || echo 3; echo x >> ../real/config || echo 4
       mv ../real ../moved || echo 5`,
      { cwd: join(scene.ws, "wt"), policy: { writable_roots: [scene.ws] } },
    );

    expect(result.stdout).toBe("1\n2\n3\n4\n5\n");
    expect(readFileSync(join(scene.ws, "real/config"), "utf8")).toBe("[core]\n");
    expect(readFileSync(join(scene.ws, "wt/.git"), "utf8")).toBe("gitdir: ../real/worktrees/w\n");
  });

  test("a git directory that does not exist yet cannot be made where a .git file expects it", async () => {
    const scene = await sceneWith("echo 'gitdir: store/repo' > .git");

    const result = await confined().sh(scene, "mkdir -p store/repo/hooks || echo refused");

    expect(result.stdout).toBe("refused\n");
    expect(readdirSync(scene.ws)).toEqual([".git"]);
  });

  test("a protected name that is a link refuses the command, with a remedy", async () => {
    const scene = confined().scene();
    symlinkSync(scene.outside, join(scene.ws, ".git"));

    const reply = await confined().ask(scene, ["touch", "a"]);

    expect(reply).toMatchObject({
      error: `The command cannot be confined: ${scene.ws}/.git is a symbolic link, so it cannot be protected from the command. Replace it by what it points to, or move it out of ${scene.ws}.`,
    });
    expect(readdirSync(scene.ws)).toEqual([".git"]);
  });

  test("a link in a temporary directory takes away that directory and nothing else", async () => {
    const scene = await sceneWith("mkdir td; ln -s /nowhere td/.git");
    const td = join(scene.outside, "td");
    await confined().sh(scene, `mv td ${scene.outside}/td`, {
      policy: { writable_roots: [scene.outside] },
    });

    const reply = await confined().ask(scene, ["/bin/sh", "-c", `touch ok; touch ${td}/x`], {
      env: { TMPDIR: td },
      policy: { exclude_tmpdir_env_var: false },
    });

    expect(reply).toMatchObject({
      result: { exitCode: 1 },
      warnings: [`Not writable: ${td}, because ${td}/.git is a symbolic link.`],
    });
    expect(readdirSync(scene.ws)).toEqual(["ok"]);
  });

  test("the agent's own directory stays read-only in a writable home", async () => {
    const scene = confined().scene();
    const home = join(scene.base, "home");

    const result = await confined().sh(
      scene,
      "mkdir -p .codex custom; touch .codex/x .agent-home/x 2>/dev/null || echo refused; touch y",
      { cwd: home, options: { agentHome: join(home, ".agent-home") } },
    );

    expect(result.stdout).toBe("refused\n");
    expect(readdirSync(home).sort()).toEqual(["custom", "y"]);
  });

  test("a root the user listed is writable even inside a protected directory", async () => {
    const scene = await sceneWith("mkdir -p .codex/worktrees/one .codex/keys");
    const inner = join(scene.ws, ".codex/worktrees/one");

    const result = await confined().sh(
      scene,
      "touch new && echo ok; touch ../../keys/x || echo 1; touch ../two || echo 2",
      { cwd: inner, policy: { writable_roots: [scene.ws] } },
    );

    expect(result.stdout).toBe("ok\n1\n2\n");
    expect(readdirSync(inner)).toEqual(["new"]);
  });

  test("the user can make a repository while a command runs, and keeps it", async () => {
    const scene = confined().scene();
    const running = confined().sh(scene, "touch ready; until [ -e go ]; do sleep 0.02; done");
    await until(() => existsSync(join(scene.ws, "ready")));
    writeFileSync(join(scene.ws, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(scene.ws, "go"), "");

    await running;

    expect(readdirSync(join(scene.ws, ".git"))).toEqual(["HEAD"]);
    expect(readdirSync(scene.ws).sort()).toEqual([".git", "go", "ready"]);
  });

  test("64 commands at once, from three processes, leave nothing and let nothing through", async () => {
    const scene = confined().scene();
    const others = await Promise.all([1, 2].map(() => startConfined(confined().identity)));
    const runners: Confined[] = [confined(), ...others];
    const script = (index: number) =>
      `mkdir -p .git/hooks .codex .agents/x; echo evil > .git/hooks/${index}; echo evil > .codex/${index}
       (setsid sh -c 'while :; do mkdir -p .git/hooks; echo evil > .git/hooks/late; done' &) 2>/dev/null
       sleep 0.0$((${index} % 5))`;

    const results = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        (runners[index % runners.length] ?? confined()).ask(scene, [
          "/bin/sh",
          "-c",
          script(index),
        ]),
      ),
    );

    for (const other of others) other.process.kill("SIGKILL");
    expect(results.map((reply) => ("error" in reply ? reply.error : reply.result.failure))).toEqual(
      results.map(() => undefined),
    );
    expect(readdirSync(scene.ws)).toEqual([]);
  });

  /** Creates a workspace as the right user, without a sandbox. */
  async function sceneWith(script: string): Promise<Scene> {
    const scene = confined().scene();
    const { exitCode, stderr } = await confined().sh(scene, script, { unconfined: true });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    return scene;
  }
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
