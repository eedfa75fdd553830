import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundleProgram } from "../bench/child-program.js";
import { loadConfig } from "../src/config/index.js";
import { Random } from "./random.js";
import type { Soak } from "./soak.js";

/**
 * Lets several processes write the history and the config at once, and kills some of them.
 *
 * Each write that was reported must be there, once, and both files must be intact.
 */
export const writers: Soak = {
  name: "writers",
  usualCount: 12,
  async run({ count, seed, progress }) {
    const folder = await mkdtemp(join(tmpdir(), "quire-soak-"));
    const random = new Random(seed);
    const program = await bundleProgram("soak/programs/writer.ts");
    const confirmed: string[] = [];
    const problems: string[] = [];
    let [started, killed] = [0, 0];
    await writeFile(join(folder, "config.toml"), configText);
    const lane = async () => {
      while (started < count) {
        const name = `w${started++}`;
        const dies = random.below(3) === 0;
        const writer = startWriter(program.path, { home: folder, name, count: linesEach });
        const timer = dies ? setTimeout(() => writer.kill(), random.next() * 2000) : undefined;
        const { code, lines } = await writer.ended;
        clearTimeout(timer);
        confirmed.push(...lines);
        if (code === null) killed++;
        else if (code !== 0) problems.push(`${name} failed`);
        progress(1);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    await program.remove();

    problems.push(...(await findLosses(folder, confirmed)));
    if (problems.length === 0) await rm(folder, { recursive: true, force: true });
    const summary = `${confirmed.length} entries by ${started} processes, ${killed} of them killed`;
    return { problems, summary };
  },
};

const lanes = 4;
const linesEach = 40;

const configText = `# Mine, and to stay.
model = "mock-model" # behind a value
`;

function startWriter(path: string, options: object) {
  const child = spawn(process.execPath, [path, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH ?? "" },
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  // A killed process has no exit code.
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, lines }));
  return { kill: () => child.kill("SIGKILL"), ended };
}

async function findLosses(home: string, confirmed: readonly string[]): Promise<string[]> {
  const [history, text] = [
    await readFile(join(home, "history.jsonl"), "utf8"),
    await readFile(join(home, "config.toml"), "utf8"),
  ];
  const problems: string[] = [];
  const entries = history
    .split("\n")
    .slice(0, -1)
    .flatMap((line, index) => {
      const entry = tryParse(line);
      if (entry === undefined) problems.push(`line ${index + 1} of the history is broken: ${line}`);
      return entry === undefined ? [] : [`history ${entry.text.split(" ")[0]}`];
    });
  const env = { PATH: "", HOME: home, CODEX_HOME: home };
  const { projects, warnings } = await loadConfig({ env, cwd: home });
  const settings = [...projects.keys()].map((path) => `config ${path.slice(1)}`);

  problems.push(...warnings);
  if (!text.startsWith(configText)) problems.push("what stood in the config has changed");
  const found = [...entries, ...settings];
  const there = new Set(found);
  if (there.size < found.length) problems.push("some entries are there more than once");
  problems.push(...confirmed.filter((one) => !there.has(one)).map((one) => `${one} is lost`));
  return problems;
}

function tryParse(line: string): { text: string } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
