import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FileAccess, FileRule } from "../../src/protocol/permission-rules.js";
import { type Confined, describeConfined, type Scene } from "./support/confined.js";

describeConfined("denied paths that do not exist", (confined) => {
  test.each([
    ["in the sandbox", {}],
    ["outside of the sandbox", { base: "unrestricted", network: { enabled: true } } as const],
  ])("cannot be created, and the command continues: %s", async (_, more) => {
    const scene = withFolders(confined(), "conf");
    const rules = {
      ...more,
      files: [...workspace, deny("secret.env"), deny("conf/key"), deny("a/b/secret")],
    };

    const { stdout, stderr, failure } = await confined().sh(
      scene,
      `for path in secret.env conf/key a/b/secret; do
        echo x > $path; echo rc=$?; mkdir -p $path/in; rm -rf $path; touch other && mv other $path; ln -s other $path
      done 2>&1 | grep rc=
      mv conf c2; mv a a2; mkdir -p a/b conf; echo x > a/b/secret; echo x > conf/key; echo work > a/b/notes; cat secret.env; echo after`,
      { rules },
    );

    expect(failure).toBeUndefined();
    expect(stdout).toBe("rc=2\nrc=2\nrc=2\nafter\n");
    expect(stderr).toMatch(/Read-only file system|Permission denied/);
    expect(all(scene)).toEqual(["a", "a/b", "a/b/notes", "conf", "other"]);
  });

  test("leave no trace, not even their missing parents", async () => {
    const scene = withFolders(confined());
    const files = [
      ...workspace,
      deny("later.env"),
      deny("new/later.env"),
      deny("x/y"),
      at("x/y/z", "read"),
    ];

    const first = await confined().sh(scene, "mkdir -p new; ls -a >/dev/null", {
      rules: { files },
    });

    expect([first.exitCode, all(scene)]).toEqual([0, []]);
  });

  test("the user can create one while a command runs, which does not see it", async () => {
    const scene = withFolders(confined());

    const { stdout, failure } = await whileRunning(scene, () =>
      writeFileSync(join(scene.ws, "later.env"), "hush-hush"),
    );

    expect([stdout, failure]).toEqual(["", undefined]);
    expect(readFileSync(join(scene.ws, "later.env"), "utf8")).toBe("hush-hush");
  });

  test("an empty file that the user creates stays as well", async () => {
    const scene = withFolders(confined());

    await whileRunning(scene, () => execFileSync("touch", [join(scene.ws, "later.env")]));

    expect(all(scene)).toEqual(["later.env"]);
  });

  test.each([
    ["a file", (path: string) => writeFileSync(path, "hush-hush")],
    ["a folder", (path: string) => mkdirSync(path)],
  ])("a command ends if the user puts %s there by removing the placeholder", async (_, create) => {
    const scene = withFolders(confined());
    const path = join(scene.ws, "later.env");

    const { stdout, failure } = await whileRunning(
      scene,
      () => {
        rmSync(path);
        create(path);
      },
      { ends: true },
    );

    expect([stdout, failure?.kind]).toEqual(["", "sandbox"]);
    expect(all(scene)).toEqual(["later.env"]);
  });

  test("a command that ends does not disturb one that started later", async () => {
    const scene = withFolders(confined());
    const files = [
      ...workspace,
      deny("later.env"),
      deny("a/b/secret"),
      deny("x"),
      at("x/y", "read"),
    ];
    const run = (name: string) => {
      const go = join(scene.outside, name);
      execFileSync("mkfifo", ["-m", "666", go]);
      const script = `cat ${go} >/dev/null; until [ -e ${go}.on ]; do sleep 0.01; done
        for path in later.env a/b/secret x; do echo x > $path; done; echo after`;
      const running = confined().sh(scene, script, { rules: { files } });
      writeFileSync(go, ""); // waits until the script reads it
      return () => {
        writeFileSync(`${go}.on`, "");
        return running;
      };
    };

    const [endFirst, endSecond] = [run("first"), run("second")];
    const before = await endFirst();
    const after = await endSecond();

    expect([before.stdout, after.stdout]).toEqual(["after\n", "after\n"]);
    expect(all(scene)).toEqual([]);
  });

  test("several commands at once share the placeholders", async () => {
    const scene = withFolders(confined());
    const rules = { files: [...workspace, deny("later.env"), deny("a/b/secret")] };

    const results = await Promise.all(
      [0, 0.1, 0.2].map((seconds) =>
        confined().sh(
          scene,
          `sleep ${seconds}; echo x > a/b/secret; echo x > later.env; echo after`,
          { rules },
        ),
      ),
    );

    expect(results.map(({ stdout }) => stdout)).toEqual(["after\n", "after\n", "after\n"]);
    expect(all(scene)).toEqual([]);
  });

  /** Runs a command that waits for `change` and then reads `later.env`, unless it is ended. */
  async function whileRunning(scene: Scene, change: () => void, { ends = false } = {}) {
    const go = join(scene.outside, "go");
    execFileSync("mkfifo", ["-m", "666", go]);
    const script = `cat ${go} >/dev/null; until [ -e ${go}.on ]; do sleep 0.01; done; cat later.env`;
    const rules = { files: [...workspace, deny("later.env")] };
    const running = confined().sh(scene, script, { rules });
    writeFileSync(go, "");
    change();
    if (!ends) writeFileSync(`${go}.on`, "");
    return running;
  }
});

const workspace: FileRule[] = [
  { place: { type: "special", name: "root" }, access: "read" },
  { place: { type: "special", name: "workspace_roots" }, access: "write" },
];

function at(subpath: string, access: FileAccess): FileRule {
  return { place: { type: "special", name: "workspace_roots", subpath }, access };
}

function deny(subpath: string): FileRule {
  return at(subpath, "deny");
}

function withFolders({ scene: makeScene, identity }: Confined, ...folders: string[]): Scene {
  const scene = makeScene();
  for (const folder of folders) mkdirSync(join(scene.ws, folder));
  if (process.getuid?.() === 0 && identity === "user") {
    execFileSync("chown", ["-R", "65534:65534", scene.ws]);
  }
  return scene;
}

function all({ ws }: Scene): string[] {
  return readdirSync(ws, { recursive: true }).map(String).sort();
}
