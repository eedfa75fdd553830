import { listenScriptedModel, type Script } from "../../src/model/scripted/index.js";
import type { Figure, Scope } from "../figure.js";
import { interleaved, median, timed } from "../measure.js";
import { cpuMs, residentMb } from "../process-facts.js";
import { ProtoProgram, prepareRoot } from "../proto-program.js";
import { bareNode, bareNodeMs, plainLoop } from "../yardsticks.js";

/** Cost of the queues: start, turns, deltas and memory of `quire proto`. */
export async function protoFigures(scope: Scope): Promise<Figure[]> {
  return [
    await startFigure(scope),
    ...(await turnFigures(scope)),
    await deltaFigure(scope),
    ...(await memoryFigures(scope)),
  ];
}

async function startFigure({ short, folder }: Scope): Promise<Figure> {
  const root = prepareRoot(folder, "http://127.0.0.1:9/v1");
  const [node = 0, start = 0] = await interleaved(short ? 9 : 31, [
    bareNodeMs,
    async () => {
      let program: ProtoProgram | undefined;
      const ms = await timed(() => {
        program = new ProtoProgram(root);
        return program.until("session_configured");
      });
      await program?.end();
      return ms;
    },
  ]);
  return {
    key: "proto.start",
    name: "from spawn to session_configured",
    value: start,
    unit: "ms",
    beside: { name: "node -e 0", value: node },
    aim: { atMostOver: 40 },
  };
}

/** Every turn forks from the first response, so that the size of a request stays the same. */
async function turnFigures({ short, folder }: Scope): Promise<Figure[]> {
  const turns = short ? 200 : 1000;
  const warmUp = 100;
  await using model = await listenScriptedModel({ script: hellos(turns + warmUp), record: false });
  const program = await ProtoProgram.start(folder, model.baseUrl);
  const first = await program.turn("hi");
  for (let warm = 1; warm < warmUp; warm++) await program.turn("hi", first);

  const before = plainLoop();
  const walls: number[] = [];
  const cpu = cpuMs(program.pid);
  for (let turn = 0; turn < turns; turn++) {
    walls.push(await timed(() => program.turn("hi", first)));
  }
  const spent = cpuMs(program.pid) - cpu;
  await program.end();

  const scale = { name: before.name, value: median([before.value, plainLoop().value]) };
  const node = await bareNode();
  const nodeMs = median([await bareNodeMs(), await bareNodeMs(), await bareNodeMs()]);
  return [
    {
      key: "proto.turn.wall",
      name: "a turn, wall clock (median)",
      value: median(walls),
      unit: "ms",
      beside: { name: "node -e 0", value: nodeMs },
      scale,
    },
    {
      key: "proto.turn.cpu",
      name: "a turn, CPU (mean)",
      value: spent / turns,
      unit: "ms",
      beside: node.cpu,
      aim: { atMost: 3 },
      scale,
    },
  ];
}

async function deltaFigure({ short, folder }: Scope): Promise<Figure> {
  const count = short ? 50_000 : 200_000;
  const deltas = Array.from({ length: count }, (_, n) => `word${n % 100} `);
  const long = [{ message: deltas.join(""), deltas }];
  await using model = await listenScriptedModel({
    script: [[{ message: "warm" }], long, long, long],
    record: false,
  });
  const program = await ProtoProgram.start(folder, model.baseUrl);
  await program.turn("warm up");

  const [plain = 0, ours = 0] = await interleaved(3, [
    async () => passThrough(deltas),
    () => deltaTurn(program),
  ]);
  await program.end();
  return {
    key: "proto.deltas",
    name: "text deltas through the program",
    value: (count / ours) * 1000,
    unit: "/s",
    beside: { name: "JSON in and out", value: (count / plain) * 1000 },
    aim: { atLeast: 100_000 },
  };
}

/** From the first delta on: the model has written its whole answer by then, which is none of our time. */
async function deltaTurn(program: ProtoProgram): Promise<number> {
  const begun = program.until("agent_message_delta");
  const items = [{ type: "text", text: "many deltas" }];
  program.send({ id: "d", op: { type: "user_input", items } });
  await begun;
  return timed(() => program.until("task_complete"));
}

/** Parses each delta as it comes from the model and writes it as it goes to the client. */
function passThrough(deltas: readonly string[]): number {
  const type = "response.output_text.delta";
  const lines = deltas.map((delta) => JSON.stringify({ type, item_id: "msg_1", delta }));
  const start = performance.now();
  let length = 0;
  for (const line of lines) {
    const { delta } = JSON.parse(line) as { delta: string };
    length += JSON.stringify({ id: "d", msg: { type: "agent_message_delta", delta } }).length;
  }
  if (length === 0) throw new Error("Nothing was written");
  return performance.now() - start;
}

/** Garbage that V8 has not collected yet is not growth, so the size after a collection is reported too. */
async function memoryFigures({ short, folder }: Scope): Promise<Figure[]> {
  const turns = short ? 1000 : 10_000;
  const settled = turns / 10;
  await using model = await listenScriptedModel({ script: hellos(turns), record: false });
  const program = await ProtoProgram.startCollecting(folder, model.baseUrl);
  const first = await program.turn("hi");
  const turnTo = async (from: number, to: number) => {
    for (let turn = from; turn < to; turn++) await program.turn("hi", first);
    return { resident: residentMb(program.pid), held: await program.heldMb() };
  };
  const early = await turnTo(1, settled);
  const late = await turnTo(settled, turns);
  await program.end();

  const node = await bareNode();
  const [few, many] = [settled, turns].map((count) => count.toLocaleString("en"));
  return [
    {
      key: "proto.resident",
      name: `resident after ${many} turns`,
      value: late.resident,
      unit: "MB",
      beside: node.resident,
    },
    {
      key: "proto.flat",
      name: `held in heap and buffers after ${many} turns`,
      value: late.held,
      unit: "MB",
      beside: { name: `after ${few}`, value: early.held },
      aim: { atMostOver: 5 },
    },
  ];
}

/** Answers to one request each, every one with a distinct id, as real models send them. */
function hellos(count: number): Script {
  return Array.from({ length: count }, (_, n) => [
    { message: "Hello there." },
    { completed: true as const, id: `resp_${n}` },
  ]);
}
