import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeConfined } from "./support/confined.js";

describeConfined("a home as the workspace", (confined) => {
  test.each(["home", "what holds it"])(
    "[security H11] start-up files cannot be planted, cwd is %s",
    async (cwd) => {
      const scene = confined().scene();
      const home = join(scene.base, "home");
      for (const folder of [".ssh", ".config/autostart"]) {
        mkdirSync(join(home, folder), { recursive: true });
        chmodSync(join(home, folder), 0o777);
      }
      for (const name of [".bashrc", ".profile", ".gitconfig"]) {
        writeFileSync(join(home, name), "");
        chmodSync(join(home, name), 0o666);
      }
      const targets = [
        ".bashrc",
        ".profile",
        ".gitconfig",
        ".ssh/authorized_keys",
        ".config/autostart/x.desktop",
      ];
      const script = `cd ${home}; for f in ${targets.join(" ")}; do echo planted >> $f && echo "$f written"; rm -rf $f 2>/dev/null && [ ! -e $f ] && case $f in */*) ;; *) echo "$f removed";; esac; done
      mv .ssh .ssh2 && echo moved; mv .config .config2 && echo moved; echo work > notes && cat notes`;

      const reply = await confined().ask(scene, ["/bin/sh", "-c", script], {
        cwd: cwd === "home" ? home : scene.base,
      });

      if ("error" in reply) throw new Error(reply.error);
      expect(reply.result.stdout).toBe("work\n");
      expect(reply.warnings).toContainEqual(
        expect.stringContaining(`${home} is your home directory`),
      );
    },
  );

  test("[security H11] missing start-up files cannot be planted, and nothing is left of them", async () => {
    const scene = confined().scene();
    const home = join(scene.base, "home");
    writeFileSync(join(home, ".profile"), "echo profile\n");
    chmodSync(join(home, ".profile"), 0o644);
    const script = `for f in .bash_profile .bash_login .zshrc .npmrc .ssh/authorized_keys .config/autostart/x .local/share/systemd/user/x; do
        mkdir -p $(dirname $f); echo planted > $f && echo "$f written"; mv notes $f; done 2>/dev/null
      mkdir -p .config/app; echo work > .config/app/notes; bash -lc 'cat .config/app/notes'`;

    const results = await Promise.all(
      [script, `sleep 0.1; ${script}`].map((text) =>
        confined().sh(scene, text, { cwd: home, env: { HOME: home } }),
      ),
    );

    for (const { stdout, failure } of results) {
      expect([stdout, failure]).toEqual(["profile\nwork\n", undefined]);
    }
    expect(readdirSync(home, { recursive: true }).sort()).toEqual([
      ".config",
      ".config/app",
      ".config/app/notes",
      ".profile",
    ]);
  });

  test("[security H11] a workspace below the home is as it was", async () => {
    const scene = confined().scene();
    const project = join(scene.base, "home/project");
    mkdirSync(project, { recursive: true });
    chmodSync(project, 0o777);

    const reply = await confined().ask(
      scene,
      ["/bin/sh", "-c", "echo x > .bashrc && cat .bashrc"],
      {
        cwd: project,
      },
    );

    if ("error" in reply) throw new Error(reply.error);
    expect([reply.result.stdout, reply.warnings]).toEqual(["x\n", []]);
  });
});
