import { bundleProgram } from "../child-program.js";
import type { Figure, Scope } from "../figure.js";
import { median } from "../measure.js";
import type { ReadOutput, ReadOutputOptions } from "../programs/read-output.js";

/** Cost of discarding a flood of output. */
export async function outputFigures({ short }: Scope): Promise<Figure[]> {
  const bytes = (short ? 256 : 1024) * 1024 * 1024;
  const program = await bundleProgram("bench/programs/read-output.ts");
  const read = (how: ReadOutputOptions["how"]) => program.run<ReadOutput>({ how, bytes });
  const runs: { bare: ReadOutput; ours: ReadOutput }[] = [];
  try {
    for (let round = 0; round < 3; round++) {
      runs.push({ bare: await read("spawn"), ours: await read("runCommand") });
    }
    const dropped = "a bare spawn, read and dropped";
    const size = short ? "256 MB" : "1 GB";
    return [
      {
        key: "output.time",
        name: `a command that writes ${size}`,
        value: median(runs.map(({ ours }) => ours.ms)),
        unit: "ms",
        beside: { name: dropped, value: median(runs.map(({ bare }) => bare.ms)) },
      },
      {
        key: "output.peak",
        name: `most memory while ${size} go by`,
        value: median(runs.map(({ ours }) => ours.peakMb)),
        unit: "MB",
        beside: { name: dropped, value: median(runs.map(({ bare }) => bare.peakMb)) },
      },
    ];
  } finally {
    await program.remove();
  }
}
