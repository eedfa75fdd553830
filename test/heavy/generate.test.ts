import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { generateLists } from "../../scripts/generate/lists.js";
import { generateAll } from "../../scripts/generate/outputs.js";

test("generated files that are missing or have conflict markers are restored", async () => {
  const copy = await mkdtemp(join(tmpdir(), "quire-generate-"));
  try {
    const sources = [
      "src/protocol",
      "src/client/thread-events",
      "src/compat",
      "src/config",
      "src/tools",
      "scripts/generate",
      "scripts/run.mjs",
      "docs",
    ];
    for (const path of [...sources, "package.json"]) {
      await cp(path, join(copy, path), { recursive: true });
    }
    await symlink(resolve("node_modules"), join(copy, "node_modules"));
    const paths = [...generateLists().keys(), ...(await generateAll()).keys()];
    const ours = paths.filter((path) => path.startsWith("src/"));
    for (const [index, path] of ours.entries()) {
      if (index % 2 === 0) await rm(join(copy, path));
      else await writeFile(join(copy, path), "<<<<<<< HEAD\n=======\n>>>>>>> branch\n");
    }

    for (const step of ["write-lists", "main"]) {
      const args = ["scripts/run.mjs", `scripts/generate/${step}.ts`];
      await promisify(execFile)(process.execPath, args, { cwd: copy });
    }

    for (const path of ours) {
      const [restored, committed] = await Promise.all([
        readFile(join(copy, path), "utf8"),
        readFile(path, "utf8"),
      ]);
      expect(restored === committed, path).toBe(true);
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}, 240_000);
