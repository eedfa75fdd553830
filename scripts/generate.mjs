// Writes the generated files; with `--check` it only lists the stale ones. Several steps, because each needs the
// files of the one before: the lists need no generated file, the schemas need the lists, the program and the types need both.
import { spawnSync } from "node:child_process";

const args = process.argv.slice(2);
for (const step of ["write-lists", "main"]) {
  const code = run(step, "inherit");
  if (code !== 0) process.exit(code);
}
// A handler that is not written yet must not keep the rest from being generated.
for (const [step, files] of [
  ["write-program-docs", "docs/cli.md and docs/tui.md"],
  ["write-api-docs", "docs/api.md"],
]) {
  if (run(step, "pipe") === 0) continue;
  console.error(
    `Skipped ${files}: the program does not build yet. Run \`npm run generate\` again when it does.`,
  );
  if (args.includes("--check")) process.exitCode = 1;
}

function run(step, errors) {
  const command = ["scripts/run.mjs", `scripts/generate/${step}.ts`, ...args];
  const { status } = spawnSync(process.execPath, command, { stdio: ["ignore", "inherit", errors] });
  return status ?? 1;
}
