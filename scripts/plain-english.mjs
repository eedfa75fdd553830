// Checks the prose of the repository with `../shared/tools/plain-english --check`. Skipped with a
// message if that folder does not exist, as in a clone without it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tool = process.env.QUIRE_PLAIN_ENGLISH ?? join(root, "../shared/tools/plain-english");

if (existsSync(tool)) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, "--check"], {
    cwd: root,
    encoding: "utf8",
  });
  const report = stdout.split("\n").filter((line) => !line.startsWith("ok "));
  if (status !== 0) console.error(`${report.join("\n")}${stderr}`);
  process.exitCode = status ?? 1;
} else {
  console.log("plain-english: skipped, ../shared is not present");
}
