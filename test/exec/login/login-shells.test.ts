import { execFile } from "node:child_process";
import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CommandStart, LoginShells } from "../../../src/exec/index.js";

let home: string;
let shells: LoginShells;
let now: number;
/** Commands that probed the shells. */
let tried: string[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quire-login-"));
  now = 0;
  tried = [];
  shells = new LoginShells({
    clock: { now: () => now },
    folder: join(home, "kept"),
    async run(start, signal) {
      tried.push(start.argv[1] ?? "");
      return run(start, signal).catch(() => undefined);
    },
  });
});

afterEach(async () => {
  await shells.close();
  await rm(home, { recursive: true, force: true });
});

/** As the sandbox starts commands: with nothing to read. */
async function run({ argv, env, workdir }: CommandStart, signal?: AbortSignal): Promise<string> {
  const [file = "", ...args] = argv;
  const options = { env, cwd: workdir, ...(signal && { signal }) };
  const running = promisify(execFile)(file, args, options);
  running.child.stdin?.end();
  return (await running).stdout;
}

function command(script: string, env: Record<string, string> = {}): CommandStart {
  return {
    argv: ["/bin/bash", "-lc", script],
    // Bash takes a pipe of Node for a remote shell and would read .bashrc, but not as an inner shell.
    env: { HOME: home, PATH: "/usr/bin:/bin", SHLVL: "1", UNWANTED: "x", ...env },
    workdir: home,
    cwd: home,
    policy: { mode: "danger-full-access" },
  };
}

/** Starts commands until one skips the start-up files. */
async function learn(script = "true"): Promise<CommandStart> {
  return vi.waitFor(() => {
    const start = { ...command(script), ...shells.spare(command(script)) };
    expect(start.argv[1]).toBe("-c");
    return start;
  });
}

/** Starts commands until it is known that they must read the start-up files. */
async function learnThatItDiffers(): Promise<void> {
  shells.spare(command("true"));
  await vi.waitFor(() => expect(tried).toEqual(["-lc", "-c", "-c"]));
}

test("exports and definitions of start-up files are present without reading them again", async () => {
  const profile = `
    echo "Welcome back"
    export EXPORTED="two
    lines" PATH="$HOME/bin:$PATH"
    unset UNWANTED
    plain="kept to itself"
    list=(one "two  three")
    greet() { case "$1" in @(a|b)) echo "hello $1";; esac; }
    alias say='echo aliased'
    shopt -s expand_aliases extglob
    set -o noclobber
    umask 027
    trap 'echo bye' EXIT
  `;
  await writeFile(join(home, ".profile"), `shopt -s extglob\n${profile}`);
  const script =
    'echo "$EXPORTED|$PATH|$UNWANTED|$plain|$BASH_ENV|$-"; declare -p list; greet a; say it; umask; type greet';

  const spared = await learn(script);
  const login = await run(command(script));

  expect(`Welcome back\n${await run(spared)}`).toBe(login);
});

test("files that only export leave nothing behind", async () => {
  await writeFile(join(home, ".profile"), "export FROM_PROFILE=yes\n");

  const spared = await learn('echo "$FROM_PROFILE"');

  expect([await run(spared), spared.env.BASH_ENV]).toEqual(["yes\n", undefined]);
  expect(await readdir(home)).toEqual([".profile"]);
});

test("definitions are stored once, in a file that only the user may read", async () => {
  await writeFile(join(home, ".profile"), "f() { :; }\n");

  const { env } = await learn();
  const kept = await readdir(join(home, "kept"));

  expect(kept).toEqual([env.BASH_ENV?.split("/").at(-1)]);
  expect((await stat(env.BASH_ENV ?? "")).mode & 0o777).toBe(0o600);
});

test("a shell that would behave differently still reads its files", async () => {
  await writeFile(join(home, ".profile"), "ulimit -n 99\n");

  await learnThatItDiffers();

  const { argv } = shells.spare(command("ulimit -n"));
  expect(argv).toEqual(["/bin/bash", "-lc", "ulimit -n"]);
  expect(tried).toEqual(["-lc", "-c", "-c"]);
});

test("a changed file causes a new probe", async () => {
  await writeFile(join(home, ".profile"), "export VALUE=old\n");
  await learn();

  await appendFile(join(home, ".profile"), "export VALUE=new\n");
  const next = shells.spare(command("true"));
  const spared = await learn('echo "$VALUE"');

  expect(next.argv[1]).toBe("-lc");
  expect(await run(spared)).toBe("new\n");
});

test("results expire, since not all files that are read are known", async () => {
  await writeFile(join(home, "other"), "export VALUE=old\n");
  await writeFile(join(home, ".profile"), '. "$HOME/other"\n');
  await learn();

  await writeFile(join(home, "other"), "export VALUE=new\n");
  now += 10 * 60_000;
  const next = shells.spare(command("true"));
  const spared = await learn('echo "$VALUE"');

  expect(next.argv[1]).toBe("-lc");
  expect(await run(spared)).toBe("new\n");
});

test("each starting state is probed separately", async () => {
  await learn();

  const others = [
    shells.spare(command("true", { OTHER: "1" })),
    shells.spare({ ...command("true"), workdir: "/" }),
    shells.spare({ ...command("true"), policy: { mode: "read-only" } }),
  ];

  expect(others.map(({ argv }) => argv[1])).toEqual(["-lc", "-lc", "-lc"]);
});

test("other shells, other flags and a BASH_ENV of the user's are left alone", () => {
  const others: CommandStart[] = [
    { ...command(""), argv: ["/bin/zsh", "-lc", "true"] },
    { ...command(""), argv: ["./bash", "-lc", "true"] },
    { ...command(""), argv: ["/bin/bash", "-c", "true"] },
    { ...command(""), argv: ["/bin/bash", "-lc", "true", "name"] },
    command("true", { BASH_ENV: "/dev/null" }),
  ];

  const started = [...others, ...others].map((other) => shells.spare(other));

  expect(started).toEqual([...others, ...others]);
  expect(tried).toEqual([]);
});

test("closing ends running probes", async () => {
  await writeFile(join(home, ".profile"), 'echo $$ > "$HOME/pid"; exec sleep 60\n');
  shells.spare(command("true"));
  const pid = await vi.waitFor(async () => {
    const { size } = await stat(join(home, "pid"));
    expect(size).toBeGreaterThan(0);
    return Number((await promisify(execFile)("cat", [join(home, "pid")])).stdout);
  });

  await shells.close();

  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"));
});

test("a home that cannot be looked at keeps no command from running", async () => {
  const unseen = command("true", { HOME: `/${"x".repeat(5000)}` });

  expect(shells.spare(unseen)).toBe(unseen);
  await vi.waitFor(() => expect(shells.spare(unseen).argv[1]).toBe("-c"));
});

test("many sessions can learn at once without a warning of Node", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);

  for (let n = 0; n < 15; n++) shells.spare(command("true", { SESSION: String(n) }));
  await vi.waitFor(() => expect(tried.length).toBeGreaterThanOrEqual(15));
  await new Promise((resolve) => setImmediate(resolve));

  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});
