import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describeConfined } from "./support/confined.js";

/** True if this process may mount, as root of a machine may. */
const canMount = process.getuid?.() === 0 && process.platform === "linux";

describeConfined("mounts of the host", (confined) => {
  test.runIf(canMount).each([{ readOnly: true }, {}])(
    "[security H4] what the host mounts while a command runs cannot be written, policy %j",
    async (how) => {
      const scene = confined().scene();
      const shared = join(scene.base, "shared");
      mkdirSync(shared);
      mount("-t", "tmpfs", "none", shared);
      mount("--make-shared", shared);
      const later = join(shared, "later");
      mkdirSync(later);
      const [started, mounted] = [join(scene.outside, "started"), join(scene.outside, "mounted")];

      // The command signals that it runs by the one thing that it can do in every mode: reading.
      execFileSync("mkfifo", ["-m", "666", started]);
      const running = confined().sh(
        scene,
        `cat ${started} >/dev/null
         until [ -e ${mounted} ]; do sleep 0.02; done
         echo escaped > ${later}/file && echo written`,
        how,
      );
      writeFileSync(started, "");
      mount("-t", "tmpfs", "none", later);
      chmodSync(later, 0o777);
      writeFileSync(mounted, "");
      const { stdout } = await running;

      expect(stdout).toBe("");
      expect(existsSync(join(later, "file"))).toBe(false);
    },
  );
});

function mount(...args: string[]): void {
  const place = args.at(-1) ?? "";
  execFileSync("mount", args);
  if (args[0] === "-t") onTestFinished(() => void execFileSync("umount", ["-l", place]));
}
