// Program that writes a conversation in a separate process, as instructed.
import { createInterface } from "node:readline";
import { RolloutRecorder } from "../../src/rollout/index.js";
import { message, metaOf } from "./support.js";

const { path, lock, create } = JSON.parse(process.argv[2] ?? "") as {
  path: string;
  lock?: string;
  create?: "at once" | "never";
};

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

try {
  const recorder = new RolloutRecorder({
    path,
    now: Date.now,
    onFailure: (text) => say({ failure: text }),
    onRecovery: (text) => say({ recovery: text }),
    ...(lock === undefined ? {} : { lock }),
    ...(create === undefined ? {} : { create }),
  });
  say({ opened: true });
  let count = 0;
  for await (const command of createInterface({ input: process.stdin })) {
    if (command === "meta") recorder.append({ type: "session_meta", payload: metaOf() });
    const times = Number(/^add (\d+)$/.exec(command)?.[1] ?? 0);
    for (let n = 0; n < times; n++) {
      const payload = message("user", `${count++} ${"x".repeat(1000)}`);
      recorder.append({ type: "response_item", payload });
      if (count % 50 === 0) say({ written: count });
    }
    say({ done: command });
  }
  await recorder.close();
  say({ closed: true });
} catch (error) {
  say({ error: (error as Error).message });
}
