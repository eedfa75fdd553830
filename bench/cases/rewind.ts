import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Answer,
  listenScriptedModel,
  type Script,
  scriptedConfig,
} from "../../src/model/scripted/index.js";
import { AppServer } from "../against/app-server.js";
import { ourSide } from "../against/side.js";
import type { Figure, Scope } from "../figure.js";
import { interleaved, median, neutralEnv, timed } from "../measure.js";

/**
 * Time of a turn in a repository of 20,000 files, beside the same turn without checkpoints: with a model
 * that answers at once, and with one that writes for a while as models do.
 */
export async function rewindFigures({ short, folder }: Scope): Promise<Figure[]> {
  const files = short ? 2_000 : 20_000;
  const repository = makeRepository(join(folder, "repository"), files);
  const turns = short ? 5 : 15;
  const figures: Figure[] = [];
  for (const [key, name, command] of kinds) {
    for (const writesMs of command === undefined ? [0] : [0, 300]) {
      const answers = answersOf(command, writesMs);
      const place = { folder, repository, answers, turns };
      const [without = 0, value = 0] = await turnTimes(place);
      const pace = writesMs === 0 ? "model answers at once" : `model writes for ${writesMs} ms`;
      figures.push({
        key: `rewind.${key}${writesMs === 0 ? "" : ".writing"}`,
        name: `${name}; ${pace}`,
        value,
        unit: "ms",
        beside: { name: "without checkpoints", value: without },
        aim: { atMostOver: 40 },
      });
    }
  }
  figures.push(
    await firstTurn({ folder, repository, answers: answersOf(changesNothing, 0), turns }),
  );
  return figures;
}

/** The first turn of a session looks at all files. */
async function firstTurn(place: TurnPlace): Promise<Figure> {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < Math.ceil(place.turns / 3); turn++) {
    for (const [index, hasCheckpoints] of [false, true].entries()) {
      const server = await startServer({ ...place, turns: 1 }, hasCheckpoints, 0);
      times[index]?.push(await timed(server.takeTurn));
      await server.close();
    }
  }
  const [without, value] = times;
  return {
    key: "rewind.first",
    name: "the first turn of a session, with a command that changes nothing; model answers at once",
    value: median(value),
    unit: "ms",
    beside: { name: "without checkpoints", value: median(without) },
  };
}

/** A command that may change files, and does not. */
const changesNothing = "mkdir -p src";

const kinds: readonly (readonly [key: string, name: string, command: string | undefined])[] = [
  ["plain", "a plain turn", undefined],
  ["reads", "a turn with a command that only reads", "ls"],
  ["same", "a turn with a command that changes nothing", changesNothing],
];

/** A repository with one commit; its files are old enough for git to trust their time stamps. */
function makeRepository(root: string, files: number): string {
  for (let file = 0; file < files; file++) {
    const place = join(root, "src", `part${file % 40}`, `piece${file % 400}`);
    if (file < 400) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file${file}.ts`), `export const value = ${file};\n`);
  }
  const author = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"];
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    [...author, "commit", "-q", "-m", "Begin"],
  ]) {
    execFileSync("git", args, { cwd: root, env: neutralEnv({ HOME: root }), stdio: "ignore" });
  }
  return root;
}

/** The responses of one turn: a call if there is a command, and the final message. */
function answersOf(command: string | undefined, writesMs: number): Answer[] {
  const message: Answer = [{ message: "done ".repeat(10), deltas: 5, pause_ms: writesMs / 10 }];
  if (command === undefined) return [message];
  const item = { id: "fc_1", type: "function_call", call_id: "c1", name: "exec_command" };
  const begin = {
    type: "response.output_item.added",
    output_index: 0,
    item: { ...item, arguments: "" },
  };
  const call = { call: "exec_command", args: { cmd: command }, call_id: "c1" };
  return [[begin, { pause_ms: writesMs }, call], message];
}

/** Turns before those that are measured. */
const warmTurns = 3;

interface TurnPlace {
  folder: string;
  repository: string;
  /** The responses of one turn. */
  answers: readonly Answer[];
  turns: number;
}

/** Median times of the turns of two servers that take turns: without checkpoints, and with them. */
async function turnTimes(place: TurnPlace): Promise<number[]> {
  const servers = [await startServer(place, false), await startServer(place, true)];
  try {
    return await interleaved(
      place.turns,
      servers.map(
        ({ takeTurn }) =>
          () =>
            timed(takeTurn),
      ),
    );
  } finally {
    for (const { close } of servers) await close();
  }
}

async function startServer(place: TurnPlace, hasCheckpoints: boolean, warm = warmTurns) {
  const { folder, repository, turns } = place;
  const answers = Array.from({ length: warm + turns }, () => place.answers).flat();
  const script: Script = { answers };
  const model = await listenScriptedModel({ script, record: false });
  const home = mkdtempSync(join(folder, "home-"));
  const settings = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';
  const config = scriptedConfig({ model: ourSide().model, baseUrl: model.baseUrl, settings });
  writeFileSync(join(home, "config.toml"), `${config}\n[features]\nundo = ${hasCheckpoints}\n`);
  const server = await AppServer.start({
    command: ourSide().appServer,
    cwd: repository,
    env: neutralEnv({ HOME: home, CODEX_HOME: home }),
  });
  const thread = await server.startThread();
  const takeTurn = () => server.turn(thread);
  // The first turns of a session look at all files, and load what the later ones use.
  for (let turn = 0; turn < warm; turn++) await takeTurn();
  if (place.answers.length > 1 && server.succeeded !== warm) {
    throw new Error(`Expected a command in each of ${warm} turns (got ${server.succeeded})`);
  }
  return {
    takeTurn,
    async close() {
      await server.end();
      await model.close();
    },
  };
}
