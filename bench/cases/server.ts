import { AppServer } from "../against/app-server.js";
import { runOnce } from "../against/cases/exec.js";
import { listenCheapModel } from "../against/cheap-model.js";
import { type Contest, makePlace, serverIn } from "../against/contest.js";
import { ourSide } from "../against/side.js";
import type { Figure, Scope, Yardstick } from "../figure.js";
import { interleaved, median, timed } from "../measure.js";
import { bareNode, bareNodeMs, plainLoop } from "../yardsticks.js";

/** Cost of the app-server and `exec`, beside Node itself and a plain loop. */
export async function serverFigures(scope: Scope): Promise<Figure[]> {
  const deltas = scope.short ? 20_000 : 100_000;
  const model = await listenCheapModel(deltas);
  const contest = { ...scope, model };
  try {
    return [
      ...(await startFigures(contest)),
      ...(await turnFigures(contest)),
      await deltaFigure(contest, deltas),
    ];
  } finally {
    await model.close();
  }
}

type Setting = Scope & Pick<Contest, "model">;

const side = ourSide();

/** Each time a new process, in a home that was used before. */
async function startFigures(setting: Setting): Promise<Figure[]> {
  const place = makePlace(setting, side, "hello");
  const firstTurn = async (until: "initialize" | "turn") => {
    let server: AppServer | undefined;
    const ms = await timed(async () => {
      server = await AppServer.start(serverIn(place, side));
      if (until === "turn") await server.turn(await server.startThread());
    });
    await server?.end();
    return ms;
  };
  await firstTurn("turn");
  const [node = 0, initialize = 0, turn = 0, exec = 0] = await interleaved(setting.short ? 7 : 21, [
    bareNodeMs,
    () => firstTurn("initialize"),
    () => firstTurn("turn"),
    () => timed(() => runOnce(side, place)),
  ]);
  const beside: Yardstick = { name: "node -e 0", value: node };
  return [
    {
      key: "server.initialize",
      name: "from spawn to the reply to initialize",
      value: initialize,
      unit: "ms",
      beside,
    },
    {
      key: "server.first-turn",
      name: "from spawn to the end of the first turn",
      value: turn,
      unit: "ms",
      beside,
    },
    {
      key: "exec.hi",
      name: "exec hi, from start to exit",
      value: exec,
      unit: "ms",
      beside,
      aim: { atMostOver: 80 },
    },
  ];
}

async function turnFigures(setting: Setting): Promise<Figure[]> {
  const turns = setting.short ? 100 : 400;
  const server = await AppServer.start(serverIn(makePlace(setting, side, "hello"), side));
  const takeTurns = async () => {
    const walls: number[] = [];
    for (let turn = 0; turn < turns; turn += 20) {
      const thread = await server.startThread();
      for (let n = 0; n < 20; n++) walls.push(await timed(() => server.turn(thread)));
    }
    return walls;
  };
  await takeTurns();
  const before = plainLoop();
  const cpu = server.cpuMs;
  const walls = await takeTurns();
  const spent = (server.cpuMs - cpu) / turns;
  await server.end();
  const scale = { name: before.name, value: median([before.value, plainLoop().value]) };
  const node = await bareNode();
  return [
    {
      key: "server.turn.wall",
      name: "a turn of the app-server, wall clock (median)",
      value: median(walls),
      unit: "ms",
      beside: scale,
    },
    {
      key: "server.turn.cpu",
      name: "a turn of the app-server, CPU (mean, with its share of a new thread)",
      value: spent,
      unit: "ms",
      beside: node.cpu,
      scale,
    },
  ];
}

async function deltaFigure(setting: Setting, deltas: number): Promise<Figure> {
  const server = await AppServer.start(serverIn(makePlace(setting, side, "deltas"), side));
  const rate = async () => {
    const thread = await server.startThread();
    return (deltas / (await timed(() => server.turn(thread)))) * 1000;
  };
  await rate();
  const before = plainLoop();
  const rates = [await rate(), await rate(), await rate()];
  await server.end();
  // A plain loop makes 20,000 items.
  const items = (20_000 / median([before.value, plainLoop().value])) * 1000;
  return {
    key: "server.deltas",
    name: "text deltas through the app-server",
    value: median(rates),
    unit: "/s",
    beside: { name: "items of the plain loop", value: items },
  };
}
