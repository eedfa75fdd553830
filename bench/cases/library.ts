import { AppServer } from "../against/app-server.js";
import { listenCheapModel } from "../against/cheap-model.js";
import { makePlace, serverIn } from "../against/contest.js";
import { ourSide } from "../against/side.js";
import { bundleProgram } from "../child-program.js";
import type { Figure, Scope } from "../figure.js";
import { median, timed } from "../measure.js";
import type { RunStreamed, RunStreamedOptions } from "../programs/run-streamed.js";

const deltas = 20_000;

/** Turns of each process; the first ones also start the engine and compile it. */
const turns = 8;
const warmUp = 3;

/** Text deltas through `runStreamed`, beside those of the app-server on its wire, in turn. */
export async function libraryFigures(scope: Scope): Promise<Figure[]> {
  const model = await listenCheapModel(deltas);
  const program = await bundleProgram("bench/programs/run-streamed.ts");
  const side = ourSide();
  try {
    const setting = { ...scope, model };
    const place = makePlace(setting, side, "deltas");
    const wire: number[] = [];
    const library: number[] = [];
    for (let round = 0; round < (scope.short ? 2 : 5); round++) {
      const server = await AppServer.start(serverIn(makePlace(setting, side, "deltas"), side));
      for (let turn = 0; turn < turns; turn++) {
        const thread = await server.startThread();
        const ms = await timed(() => server.turn(thread));
        if (turn >= warmUp) wire.push((deltas / ms) * 1000);
      }
      await server.end();
      const { workspace, home } = place;
      const options: RunStreamedOptions = { workspace, home, turns };
      const result = await program.run<RunStreamed>(options);
      const lost = result.deltas.findIndex((count) => count !== deltas);
      if (lost >= 0 || !result.inOrder) {
        throw new Error(
          `runStreamed yielded ${result.deltas[lost] ?? deltas} of ${deltas} deltas, ${result.inOrder ? "" : "not "}in order`,
        );
      }
      library.push(...result.walls.slice(warmUp).map((ms) => (deltas / ms) * 1000));
    }
    return [
      {
        key: "library.deltas",
        name: "text deltas through runStreamed",
        value: median(library),
        unit: "/s",
        beside: { name: "the app-server on stdio", value: median(wire) },
        aim: { atLeastOf: 0.5 },
      },
    ];
  } finally {
    await program.remove();
    await model.close();
  }
}
