import { bundleProgram } from "../child-program.js";
import type { Figure, Scope } from "../figure.js";
import type { ReadOutput, ReadOutputOptions } from "../programs/read-output.js";

/** What it costs to let a flood of output go by. */
export async function outputFigures({ short }: Scope): Promise<Figure[]> {
  const bytes = (short ? 256 : 1024) * 1024 * 1024;
  const program = await bundleProgram("bench/programs/read-output.ts");
  const read = (how: ReadOutputOptions["how"]) => program.run<ReadOutput>({ how, bytes });
  try {
    const [bare, ours] = [await read("spawn"), await read("runCommand")];
    const size = short ? "256 MB" : "1 GB";
    return [
      {
        key: "output.time",
        name: `a command that writes ${size}`,
        value: ours.ms,
        unit: "ms",
        beside: { name: "a bare spawn, read and dropped", value: bare.ms },
      },
      {
        key: "output.peak",
        name: `most memory while ${size} go by`,
        value: ours.peakMb,
        unit: "MB",
        beside: { name: "a bare spawn, read and dropped", value: bare.peakMb },
      },
    ];
  } finally {
    await program.remove();
  }
}
