import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { listenScriptedModel } from "../../src/model/scripted/index.js";
import {
  readAttacks as attacks,
  furniture,
  type ReadAttack,
  secret,
} from "../../test/sandbox/support/read-attacks.js";
import { type Check, type CheckContext, Skipped } from "../check.js";
import { runToEnd } from "../run-to-end.js";
import { temporary } from "../scene.js";

/** The attacks on denied files of our tests, with the reference beside us. */
export const readAttacks: readonly Check[] = [
  { name: "read-attacks-0.166.0", short: false, run: (context) => compare(context) },
];

const model = "gpt-5.5";
const version = "0.166.0";

async function compare(context: CheckContext): Promise<string> {
  if (process.platform !== "linux") throw new Skipped("the attacks are for Linux");
  const reference = await context.packages.program("@openai/codex", version);
  const ours = [process.execPath, resolve("bin/quire.js")];
  const possible = attacks.filter(({ asRoot }) => asRoot === undefined || process.getuid?.() === 0);
  const rows: { name: string; ours: string; theirs: string }[] = [];
  const queue = [...possible];
  const work = async () => {
    for (let attack = queue.shift(); attack !== undefined; attack = queue.shift()) {
      const outcome = { ours: await attempt(ours, attack, context), theirs: "" };
      outcome.theirs = await attempt(reference, attack, context);
      rows.push({ name: attack.name, ...outcome });
    }
  };
  await Promise.all([work(), work()]);
  const order = possible.map(({ name }) => name);
  rows.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  console.log(table(rows));
  const leaks = rows.filter((row) => row.ours !== "held");
  if (leaks.length > 0) throw new Error(`not held: ${leaks.map(({ name }) => name).join("; ")}`);
  const theirs = (outcome: string) => rows.filter((row) => row.theirs === outcome).length;
  return `${rows.length} attacks, all held by ours; ${version} holds ${theirs("held")}, refuses ${theirs("refuses")}, leaks ${theirs("LEAKS")}`;
}

function table(rows: readonly { name: string; ours: string; theirs: string }[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, ours: string, theirs: string) =>
    `  ${name.padEnd(width)}  ${ours.padEnd(6)}  ${theirs}`;
  return [
    line("attack", "ours", version),
    ...rows.map((row) => line(row.name, row.ours, row.theirs)),
  ].join("\n");
}

/** Lets a program run the commands of an attack in a turn; returns the word of the table. */
async function attempt(
  program: readonly string[],
  attack: ReadAttack,
  context: CheckContext,
): Promise<string> {
  const root = mkdtempSync(join(temporary(), "quire-attack-"));
  const [home, workspace, outside] = [join(root, "home"), join(root, "ws"), join(root, "out")];
  for (const folder of [home, workspace, outside]) mkdirSync(folder);
  const env = { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home, OUT: outside };
  const host = (script: string) =>
    promisify(execFile)("/bin/sh", ["-c", script], { cwd: workspace, env });
  const commands = [attack.command, ...(attack.next === undefined ? [] : [attack.next])];
  const steps = commands.map((command, index) => [
    {
      call: "exec_command",
      args: { cmd: `OUT=${outside}; ${command}`, yield_time_ms: 10_000 },
      call_id: `c${index}`,
    },
  ]);
  await using server = await listenScriptedModel({ script: [...steps, [{ message: "Done." }]] });
  // The reference runs nothing at all if a denied path is a link.
  const hasLink = JSON.stringify(attack).includes("link.env");
  writeFileSync(join(home, "config.toml"), settings(server.baseUrl, hasLink));
  try {
    await host(hasLink ? furniture : `${furniture}; rm link.env`);
    await host(attack.before ?? "true");
    if (attack.during !== undefined) await host("mkfifo -m 666 $OUT/go");
    const command = [...program, "exec", "--json", "--skip-git-repo-check", "go"];
    const running = runToEnd(command, { cwd: workspace, env }, context);
    const during =
      attack.during === undefined
        ? undefined
        : host(`timeout 20 sh -c 'echo > $OUT/go' && { ${attack.during}; }`).catch(() => undefined);
    const { output } = await running;
    await during;
    const sent = JSON.stringify(server.requests);
    context.note(`${attack.name}: ${output.slice(-300)}`);
    if (!sent.includes('"c0"')) return "refuses";
    return sent.includes(secret) || output.includes(secret) ? "LEAKS" : "held";
  } finally {
    if (attack.after !== undefined) await host(attack.after).catch(() => undefined);
    rmSync(root, { recursive: true, force: true });
  }
}

const settings = (baseUrl: string, hasLink: boolean) => `model = "${model}"
model_provider = "mock"
approval_policy = "never"
default_permissions = "work"
[model_providers.mock]
name = "mock"
base_url = "${baseUrl}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[permissions.work]
extends = ":workspace"
[permissions.work.filesystem]
":root" = "read"
glob_scan_max_depth = 8
[permissions.work.filesystem.":workspace_roots"]
"secret.env" = "deny"
"conf/secret.env" = "deny"
private = "deny"
${hasLink ? '"link.env" = "deny"' : ""}
"later.env" = "deny"
"**/*.key" = "deny"
`;
