import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  watch as watchDirectory,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { BreachWatch } from "../../src/sandbox/breach-watch.js";
import { describeConfined, type Scene } from "./support/confined.js";

describeConfined("protected paths that the host replaces", (confined) => {
  const git = ["HEAD", "config", "objects", "refs"];

  test.each([
    { name: ".git", how: "removed and made anew", replace: remake },
    { name: ".git", how: "removed and renamed over", replace: renameOver },
    { name: ".codex", how: "removed and made anew", replace: remake },
    { name: ".agents", how: "removed and renamed over", replace: renameOver },
    { name: ".git", how: "swapped", replace: swap },
  ])("[security H9] a command ends when $name is $how", async ({ name, replace }) => {
    const scene = confined().scene();
    fill(join(scene.ws, name), git);

    const result = await runWhile(scene, () => replace(scene, join(scene.ws, name)));

    expect(result.stderr).toBe(
      `The command was ended: ${join(scene.ws, name)} was replaced or removed while it ran, so it could no longer be protected. Run the command again.`,
    );
    expect(existsSync(join(scene.outside, "reached its end"))).toBe(false);
  });

  test("[security H9] a command ends when the .git file of a worktree is replaced", async () => {
    const scene = confined().scene();
    const file = join(scene.ws, ".git");
    fill(join(scene.outside, "repo"), git);
    writeFileSync(file, `gitdir: ${join(scene.outside, "repo")}\n`);

    const result = await runWhile(scene, () => {
      writeFileSync(`${file}.new`, `gitdir: ${join(scene.outside, "other")}\n`);
      renameSync(`${file}.new`, file);
    });

    expect(result.failure?.kind).toBe("sandbox");
  });

  test("[security H9] a command ends when the user puts a repository where there was none", async () => {
    const scene = confined().scene();
    const repo = join(scene.outside, "repo");
    fill(repo, git);

    const result = await runWhile(scene, () => renameOver(scene, join(scene.ws, ".git")));

    expect(result.failure?.kind).toBe("sandbox");
    expect(readdirSync(join(scene.ws, ".git")).sort()).toEqual(git);
  });

  test("[security H9] a command keeps running while the host works in a repository", async () => {
    const scene = confined().scene();
    fill(join(scene.ws, ".git"), git);

    const result = await runWhile(
      scene,
      () => {
        for (const name of ["index.lock", "HEAD.lock"]) {
          writeFileSync(join(scene.ws, ".git", name), "");
          renameSync(join(scene.ws, ".git", name), join(scene.ws, ".git", name.slice(0, -5)));
        }
      },
      "test -e .git/index",
    );

    expect([result.exitCode, result.failure]).toEqual([0, undefined]);
  });

  /** Runs a command until `until` holds, and `change` once it runs. */
  async function runWhile(scene: Scene, change: () => void, until = "false") {
    const started = join(scene.outside, "started");
    execFileSync("mkfifo", ["-m", "666", started]);
    const running = confined().sh(
      scene,
      `cat ${started} >/dev/null; until ${until}; do sleep 0.02; done`,
    );
    writeFileSync(started, "");
    change();
    return running;
  }
});

function fill(directory: string, names: readonly string[]): void {
  mkdirSync(directory, { recursive: true });
  for (const name of names) writeFileSync(join(directory, name), "");
}

function remake(_: Scene, path: string): void {
  rmSync(path, { recursive: true });
  fill(path, ["HEAD"]);
}

function renameOver(scene: Scene, path: string): void {
  rmSync(path, { recursive: true });
  const repo = join(scene.outside, "repo");
  fill(repo, []);
  mkdirSync(path);
  renameSync(repo, path);
}

function swap(scene: Scene, path: string): void {
  renameSync(path, join(scene.outside, "old"));
  fill(join(scene.outside, "repo"), ["HEAD"]);
  renameSync(join(scene.outside, "repo"), path);
}

test.skipIf(process.platform !== "linux")(
  "changes from before the watch do not end a command, even if they are reported late",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "quire-watch-"));
    const [path, aside] = [join(directory, ".codex"), join(directory, "aside")];
    mkdirSync(path);
    // The system reports the events of a directory to all of its watchers, also to later ones.
    const other = watchDirectory(directory, () => {});
    const breaches: string[] = [];
    const watch = new BreachWatch([path]);

    watch.start((breach) => breaches.push(breach));
    renameSync(path, aside);
    renameSync(aside, path);
    const busyUntil = performance.now() + 80;
    while (performance.now() < busyUntil);
    for (let round = 0; round < 10; round++) await nextTurn();

    expect(breaches).toEqual([]);
    rmSync(path, { recursive: true });
    await vi.waitUntil(() => breaches.length > 0, { timeout: 20_000 });
    watch.stop();
    other.close();
    rmSync(directory, { recursive: true });
  },
);
