import { listenScriptedModel } from "../../src/model/scripted/index.js";
import { bareNode, type Figure, interleaved, median, timed } from "../measure.js";
import { ProtoProgram } from "../proto-program.js";

/** What the queues cost: start, turns, deltas and memory of `quire proto`. */
export async function protoFigures({ short }: { short: boolean }): Promise<Figure[]> {
  return [
    await startFigure(short ? 7 : 15),
    ...(await turnFigures(short ? 200 : 1000)),
    await deltaFigure(short ? 50_000 : 200_000),
    ...(await memoryFigures(short ? 1000 : 10_000)),
  ];
}

async function startFigure(rounds: number): Promise<Figure> {
  const [node = 0, start = 0] = await interleaved(rounds, [
    bareNode,
    async () => {
      let program: ProtoProgram | undefined;
      const ms = await timed(async () => {
        program = new ProtoProgram("http://127.0.0.1:9/v1");
        await program.until("session_configured");
      });
      await program?.end();
      return ms;
    },
  ]);
  return { name: "spawn to session_configured", value: start, unit: "ms", beside: { name: "node -e 0", value: node } };
}

async function turnFigures(turns: number): Promise<Figure[]> {
  const model = await listenScriptedModel({
    script: { answers: [[{ message: "Hello there." }]], after: "repeat" },
    record: false,
  });
  const program = await startProgram(model.baseUrl);
  for (let warm = 0; warm < 50; warm++) await program.turn("hi");
  const walls: number[] = [];
  const cpu = program.cpuMs();
  // A new session every so often: the history a request carries must not decide the figure.
  for (let turn = 0; turn < turns; turn++) walls.push(await timed(() => program.turn("hi")));
  const spent = program.cpuMs() - cpu;
  await program.end();
  await model.close();
  return [
    { name: "a plain turn, wall (median)", value: median(walls), unit: "ms" },
    { name: "a plain turn, CPU (mean)", value: spent / turns, unit: "ms" },
  ];
}

async function deltaFigure(count: number): Promise<Figure> {
  const deltas = Array.from({ length: count }, (_, n) => `word${n % 100} `);
  const model = await listenScriptedModel({
    script: [[{ message: "warm" }], [{ message: deltas.join(""), deltas }]],
    record: false,
  });
  const program = await startProgram(model.baseUrl);
  await program.turn("warm up");
  const ms = await timed(() => program.turn("many deltas"));
  await program.end();
  await model.close();
  return { name: "text deltas through the program", value: (count / ms) * 1000, unit: "/s" };
}

async function memoryFigures(turns: number): Promise<Figure[]> {
  const model = await listenScriptedModel({
    script: { answers: [[{ message: "Hello there." }]], after: "repeat" },
    record: false,
  });
  const program = await startProgram(model.baseUrl);
  for (let turn = 0; turn < 20; turn++) await program.turn("hi");
  const early = program.residentMb();
  for (let turn = 20; turn < turns; turn++) await program.turn("hi");
  const late = program.residentMb();
  await program.end();
  await model.close();
  return [
    { name: "resident after 20 turns", value: early, unit: "MB" },
    { name: `resident after ${turns} turns`, value: late, unit: "MB", beside: { name: "after 20", value: early } },
  ];
}

async function startProgram(baseUrl: string): Promise<ProtoProgram> {
  const program = new ProtoProgram(baseUrl);
  await program.until("session_configured");
  return program;
}
