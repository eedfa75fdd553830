import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeConfined, type Scene } from "./support/confined.js";

/** Describes everything outside of the workspace, so that any change shows. */
function outsideOf({ outside, victim }: Scene) {
  const { mode, mtimeMs, ino } = statSync(victim);
  return { names: readdirSync(outside), text: readFileSync(victim, "utf8"), mode, mtimeMs, ino };
}

describeConfined("files", (confined) => {
  test("output and exit code of the command reach the caller", async () => {
    const scene = confined().scene();

    const result = await confined().sh(scene, "echo MARK; echo aside >&2; exit 37", {
      readOnly: true,
    });

    expect(result).toMatchObject({ exitCode: 37, stdout: "MARK\n", stderr: "aside\n" });
  });

  test("the workspace can be written", async () => {
    const scene = confined().scene();

    const result = await confined().sh(scene, "echo hello > a.txt && mkdir d && ln -s a.txt l");

    expect(result.exitCode).toBe(0);
    expect(readFileSync(join(scene.ws, "a.txt"), "utf8")).toBe("hello\n");
  });

  test("nothing can be made in a workspace that is read-only", async () => {
    const scene = confined().scene();

    const result = await confined().sh(
      scene,
      "touch f || echo no1; mkdir d || echo no2; ln -s x l || echo no3; mkdir .git || echo no4",
      { readOnly: true },
    );

    expect(result.stdout).toBe("no1\nno2\nno3\nno4\n");
    expect(readdirSync(scene.ws)).toEqual([]);
  });

  test("nothing outside of the workspace changes, whatever is tried", async () => {
    const scene = confined().scene();
    const before = outsideOf(scene);

    const result = await confined().sh(
      scene,
      `cd ../outside
       echo x > victim.txt || echo 1; echo x >> victim.txt || echo 2; rm -f victim.txt || echo 3
       mv victim.txt v2 || echo 4; mkdir d || echo 5; touch new || echo 6; mv ../ws/. . || echo 7
       truncate -s 0 victim.txt || echo 8; mknod p p || echo 9`,
    );

    expect(result.stdout).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    expect(outsideOf(scene)).toEqual(before);
  });

  test("links that lead out of the workspace do not make anything writable", async () => {
    const scene = confined().scene();
    symlinkSync(scene.victim, join(scene.ws, "l"));
    symlinkSync(scene.outside, join(scene.ws, "d"));
    const before = outsideOf(scene);

    const result = await confined().sh(
      scene,
      `echo x > l || echo 1; touch d/new || echo 2; rm -f d/victim.txt || echo 3
       ln -s ${scene.outside} e; echo x > e/victim.txt || echo 4; cp /etc/hostname l || echo 5`,
    );

    expect(result.stdout).toBe("1\n2\n3\n4\n5\n");
    expect(outsideOf(scene)).toEqual(before);
  });

  test("no hard link can be made to a file outside", async () => {
    const scene = confined().scene();

    const result = await confined().sh(
      scene,
      "ln ../outside/victim.txt h; ln -P ../outside/victim.txt h2; echo x > h; cat h",
    );

    expect(result.stdout).toBe("x\n");
    expect(readFileSync(scene.victim, "utf8")).toBe("untouched\n");
    expect(lstatSync(scene.victim).nlink).toBe(1);
  });

  test("mode, time and attributes of files outside cannot be changed", async () => {
    const scene = confined().scene();
    const before = outsideOf(scene);

    const result = await confined().sh(
      scene,
      `chmod 666 ../outside/victim.txt || echo 1; chmod u+s ../outside/victim.txt || echo 2
       touch -d 2001-01-01 ../outside/victim.txt || echo 3
       chgrp "$(id -g)" ../outside/victim.txt || echo 4
       node -e 'require("fs").utimesSync("../outside/victim.txt", 1, 1)' 2>&1 | grep -q EROFS && echo 5`,
    );

    expect(result.stdout).toBe("1\n2\n3\n4\n5\n");
    expect(outsideOf(scene)).toEqual(before);
  });

  test("the workspace and its parents cannot be moved", async () => {
    const scene = confined().scene();

    const result = await confined().sh(
      scene,
      `cd /; mv ${scene.ws} ${scene.ws}2 || echo 1; mv ${scene.base} ${scene.base}-x || echo 2
       rmdir ${scene.ws} || echo 3`,
    );

    expect(result.stdout).toBe("1\n2\n3\n");
    expect(existsSync(scene.ws)).toBe(true);
  });

  test("a root does not open a path that only shares its prefix", async () => {
    const scene = confined().scene();
    const root = join(scene.outside, "root");
    const evil = join(scene.outside, "root-evil");
    await makeDirectories(scene, root, evil);

    const result = await confined().sh(
      scene,
      `touch ${root}/a && echo yes; touch ${evil}/a || echo no`,
      { policy: { writable_roots: [root] } },
    );

    expect(result.stdout).toBe("yes\nno\n");
    expect([readdirSync(root), readdirSync(evil)]).toEqual([["a"], []]);
  });

  test("/tmp is writable unless it is excluded", async () => {
    const scene = confined().scene();
    const probe = `/tmp/quire-probe-${process.pid}-${confined().identity}`;
    const script = `touch ${probe} && rm ${probe} && echo yes || echo no`;

    const excluded = await confined().sh(scene, script);
    const included = await confined().sh(scene, script, { policy: { exclude_slash_tmp: false } });

    expect([excluded.stdout, included.stdout]).toEqual(["no\n", "yes\n"]);
  });

  test("TMPDIR is writable unless it is excluded", async () => {
    const scene = confined().scene();
    const directory = join(scene.outside, "td");
    await makeDirectories(scene, directory);
    const script = `touch ${directory}/a && rm ${directory}/a && echo yes || echo no`;
    const env = { TMPDIR: directory };

    const excluded = await confined().sh(scene, script, { env });
    const included = await confined().sh(scene, script, {
      env,
      policy: { exclude_tmpdir_env_var: false },
    });

    expect([excluded.stdout, included.stdout]).toEqual(["no\n", "yes\n"]);
  });

  test.each(["", ".", "..", "../outside", "/", "/etc", "/usr", "HOME", "BASE"])(
    "a TMPDIR of %j opens nothing",
    async (value) => {
      const scene = confined().scene();
      const before = outsideOf(scene);
      const special: Record<string, string> = { HOME: join(scene.base, "home"), BASE: scene.base };

      const result = await confined().sh(
        scene,
        `touch ok; echo x > ../outside/victim.txt; touch ../outside/new ../home/new ../new; true`,
        {
          env: { TMPDIR: special[value] ?? value },
          policy: { exclude_tmpdir_env_var: false },
          workdir: scene.ws,
        },
      );

      expect(result.exitCode).toBe(0);
      expect(outsideOf(scene)).toEqual(before);
      expect(readdirSync(join(scene.base, "home"))).toEqual([]);
      expect(existsSync(join(scene.base, "new"))).toBe(false);
    },
  );

  test("a root that is not there is left out and not made", async () => {
    const scene = confined().scene();
    const missing = join(scene.outside, "missing");

    const reply = await confined().ask(scene, ["touch", "a"], {
      policy: { writable_roots: [missing, "relative", "/", "/etc"] },
    });

    expect(reply).toMatchObject({
      result: { exitCode: 0 },
      warnings: [
        `Not writable: ${missing} does not exist.`,
        "Not writable: relative is not an absolute path.",
        "Not writable: / is the whole file system.",
        "Not writable: /etc is a directory of the system.",
      ],
    });
    expect(existsSync(missing)).toBe(false);
  });

  test.each([
    "with space",
    "quo'te\"s",
    "new\nline",
    "ünïcödé 日本",
    "-leading-dash",
    "--bind",
    "a=b",
    "$(id)",
    "`id`",
    "semi;colon&amp|pipe",
    "back\\slash",
    "*",
  ])("a workspace may be called %j", async (name) => {
    const scene = confined().scene();
    const cwd = join(scene.ws, name);
    await makeDirectories(scene, cwd);
    const before = outsideOf(scene);

    const result = await confined().sh(scene, "touch in; touch ../out ../../outside/new; true", {
      cwd,
    });

    expect(result.exitCode).toBe(0);
    expect(readdirSync(cwd)).toEqual(["in"]);
    expect(readdirSync(scene.ws)).toEqual([name]);
    expect(outsideOf(scene)).toEqual(before);
  });

  test("a workspace reached through a link is the real one", async () => {
    const scene = confined().scene();
    const alias = join(scene.base, "alias");
    symlinkSync(scene.ws, alias);

    const result = await confined().sh(scene, "touch a; touch ../outside/new", { cwd: alias });

    expect(result.exitCode).not.toBe(0);
    expect(readdirSync(scene.ws)).toEqual(["a"]);
    expect(readdirSync(scene.outside)).toEqual(["victim.txt"]);
  });

  test("a link that changes later keeps its first target", async () => {
    const scene = confined().scene();
    const alias = join(scene.ws, "alias");
    const inner = join(scene.ws, "inner");
    await makeDirectories(scene, inner);
    symlinkSync(inner, alias);
    const how = { policy: { writable_roots: [alias] } };
    await confined().sh(scene, `rm alias && ln -s ${scene.outside} alias`, how);

    const result = await confined().sh(scene, "touch alias/new; touch ../outside/new", how);

    expect(result.exitCode).not.toBe(0);
    expect(readdirSync(scene.outside)).toEqual(["victim.txt"]);
  });

  test("a root inside another one cannot be swapped for something outside", async () => {
    const scene = confined().scene();
    const inner = join(scene.ws, "inner");
    await makeDirectories(scene, inner);
    const how = { policy: { writable_roots: [inner] } };
    await confined().sh(scene, "true", how);
    await confined().sh(scene, "mv inner gone; ln -s ../outside inner");

    const reply = await confined().ask(scene, ["touch", join(inner, "new")], how);

    expect(reply).toMatchObject({
      error: `The command cannot be confined: ${inner} was replaced while the command was being prepared`,
    });
    expect(readdirSync(scene.outside)).toEqual(["victim.txt"]);
  });

  test("files that were linked into the workspace before keep working", async () => {
    const scene = confined().scene();
    await makeDirectories(scene, join(scene.ws, "d"));
    await confined().sh(scene, "echo one > d/f");
    linkSync(join(scene.ws, "d/f"), join(scene.ws, "g"));

    const result = await confined().sh(scene, "echo two > g; cat d/f");

    expect(result.stdout).toBe("two\n");
  });

  test("two hundred roots and a very long argument fit", async () => {
    const scene = confined().scene();
    const roots = Array.from({ length: 200 }, (_, index) => join(scene.outside, `root-${index}`));
    await makeDirectories(scene, ...roots);
    const last = roots.at(-1) ?? "";

    const result = await confined().run(
      scene,
      ["/bin/sh", "-c", `touch ${last}/a; echo \${#1}`, "sh", "x".repeat(100_000)],
      { policy: { writable_roots: roots } },
    );

    expect(result).toMatchObject({ exitCode: 0, stdout: "100000\n" });
    expect(readdirSync(last)).toEqual(["a"]);
  });

  /** Creates directories as the right user. */
  async function makeDirectories(scene: Scene, ...paths: string[]): Promise<void> {
    await confined().run(scene, ["mkdir", "-p", "--", ...paths], { unconfined: true });
  }
});
