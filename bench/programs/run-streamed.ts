// Runs turns through the built library and prints how long the deltas of each took, and whether they came in order.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Codex as CodexClass } from "../../src/index.js";

export interface RunStreamedOptions {
  workspace: string;
  home: string;
  turns: number;
}

export interface RunStreamed {
  /** Milliseconds of each turn. */
  walls: number[];
  /** Deltas of a message in each turn. */
  deltas: number[];
  /** True if the deltas of every turn are its message. */
  inOrder: boolean;
}

const { workspace, home, turns } = JSON.parse(process.argv[2] ?? "") as RunStreamedOptions;
const built = pathToFileURL(resolve("dist/index.js")).href;
const { Codex } = (await import(built)) as { Codex: typeof CodexClass };
const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home };
const codex = new Codex({ env, workingDirectory: workspace });
const result: RunStreamed = { walls: [], deltas: [], inOrder: true };
for (let turn = 0; turn < turns; turn++) {
  const thread = codex.startThread();
  const start = performance.now();
  const { events } = await thread.runStreamed("go", { deltas: true });
  let count = 0;
  let text = "";
  let message = "";
  for await (const event of events) {
    if (event.type === "item.delta") {
      count++;
      text += event.delta;
    } else if (event.type === "item.completed" && event.item.type === "agent_message") {
      message = event.item.text;
    }
  }
  result.walls.push(performance.now() - start);
  result.deltas.push(count);
  result.inOrder &&= text === message && text !== "";
}
await codex.close();
console.log(JSON.stringify(result));
