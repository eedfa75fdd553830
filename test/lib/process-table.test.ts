import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { numbersSince } from "../../src/lib/process-table.js";

const children: ChildProcess[] = [];
const none = new Set<number>();

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(command: string, ...args: string[]): ChildProcess & { pid: number } {
  const child = spawn(command, args, { stdio: "ignore" });
  children.push(child);
  return child as ChildProcess & { pid: number };
}

test.runIf(process.platform === "linux")(
  "the processes that began after another one are found as long as they run",
  async () => {
    const first = start("sleep", "60");
    const second = start("sleep", "60");
    const third = start("true");
    await once(third, "exit");

    const found = numbersSince(first.pid, none);

    expect(found).toContain(second.pid);
    expect(found).not.toContain(first.pid);
    expect(found).not.toContain(third.pid);
  },
);

test.runIf(process.platform === "linux")(
  "one that began long ago, when numbers were others, does not hide those of now",
  () => {
    const running = start("sleep", "60");

    expect(numbersSince(1, none)).toContain(running.pid);
    expect(numbersSince(2 ** 22, none)).toContain(running.pid);
    expect(numbersSince(1, new Set([running.pid]))).not.toContain(running.pid);
  },
);
