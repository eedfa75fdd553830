import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Effects of a script that ran. */
export interface Recording {
  /** Words of every started program, in any order. */
  started: string[][];
  /** True if a file was created, removed or changed. */
  changedFiles: boolean;
}

/** Names of recording programs; no other program is on the PATH. */
export const programs =
  "awk base64 basename bash cat cd curl cut dd echo env evil expr false find git grep head id ls mkdir mv nl numfmt paste perl pwd python3 rev rg rm sed seq sh sort stat tac tail tee touch tr true uname uniq wc which whoami xargs".split(
    " ",
  );

const files: Record<string, string> = { "-delete": "", "a.txt": "alpha\n", "b c": "beta\n" };

// One printf is one write, so that lines of concurrent programs do not mix.
const recorder = `#!/bin/sh
printf '%s\\037' "\${0##*/}" "$@" '\u0001' >> "$QUIRE_LOG"
`;

// Builtins are disabled so that they are recorded too.
const start = "enable -n cd echo false pwd true\n";

const driver = `
cd "$1/work" || exit 1
i=0
while IFS= read -r -d '' script; do
  export QUIRE_LOG="$1/logs/$i"
  ( PATH="$1/bin" BASH_ENV="$1/start" exec -a bash "$BASH" --norc -c "$script" ) < /dev/null > /dev/null 2>&1
  names=(* .[!.]*)
  sum=\${#names[@]}:\${names[*]}:$(<a.txt)
  [[ $sum == '4:-delete a.txt b c .[!.]*:alpha' ]] || printf '%s\\n' "$sum" > "$1/changed/$i"
  i=$((i + 1))
done < "$1/scripts"
`;

/** Runs scripts with real bash; every program only records its call. */
export async function recordScripts(scripts: readonly string[]): Promise<Recording[]> {
  const root = await mkdtemp(join(tmpdir(), "quire-recording-"));
  try {
    await prepare(root, scripts);
    const result = spawnSync("bash", ["--norc", "-c", driver, "driver", root], {
      env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
      encoding: "utf8",
    });
    if (result.status !== 0) throw new Error(`the driver failed: ${result.stderr}`);
    return await readRecordings(root, scripts.length);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function prepare(root: string, scripts: readonly string[]): Promise<void> {
  for (const name of ["bin", "work", "logs", "changed"]) await mkdir(join(root, name));
  for (const name of programs) {
    await writeFile(join(root, "bin", name), recorder);
    await chmod(join(root, "bin", name), 0o755);
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, "work", name), text);
  await writeFile(join(root, "start"), start);
  await writeFile(join(root, "scripts"), scripts.map((script) => `${script}\0`).join(""));
}

async function readRecordings(root: string, count: number): Promise<Recording[]> {
  const [logs, changed] = await Promise.all([
    readdir(join(root, "logs")),
    readdir(join(root, "changed")),
  ]);
  const recordings: Recording[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = String(index);
    const log = logs.includes(name) ? await readFile(join(root, "logs", name), "utf8") : "";
    const started = log
      .split("\u0001\u001f")
      .slice(0, -1)
      .map((record) => record.split("\u001f").slice(0, -1));
    recordings.push({ started, changedFiles: changed.includes(name) });
  }
  return recordings;
}
