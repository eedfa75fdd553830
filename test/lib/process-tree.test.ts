import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isProcessRunning, processEntries, processStart } from "../../src/lib/process-table.js";
import {
  carriesMark,
  endTree,
  findOwnDescendants,
  markName,
  registerCommand,
  treeOf,
} from "../../src/lib/process-tree.js";

const onLinux = test.skipIf(process.platform !== "linux");

/** Starts a shell that leads a group, and resolves once it has printed the pid of its child. */
async function startTree(script: string, mark?: string): Promise<[ChildProcess, number]> {
  const env = { PATH: process.env.PATH ?? "", ...(mark && { [markName]: mark }) };
  const leader = spawn("sh", ["-c", script], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env,
  });
  const [line] = (await once(leader.stdout ?? leader, "data")) as [Buffer];
  return [leader, Number(line.toString())];
}

test("a tree that ends on SIGTERM is gone when endTree resolves", async () => {
  const [leader, child] = await startTree("sleep 60 & echo $!; wait");
  const ended = once(leader, "exit");
  const pid = leader.pid ?? 0;
  const start = processStart(child);

  await endTree({ pid }, 5_000);

  await ended;
  expect(processStart(child) === start && start !== "").toBe(false);
});

test("a tree that ignores SIGTERM is killed after the grace period", async () => {
  const [leader] = await startTree("trap '' TERM; echo $$; while :; do sleep 60; done");
  const ended = once(leader, "exit");

  await endTree({ pid: leader.pid ?? 0 }, 20);

  expect(await ended).toEqual([null, "SIGKILL"]);
});

onLinux("a child that left the group is found by its mark", async () => {
  const mark = `test-${process.pid}`;
  const [leader, stray] = await startTree("setsid sleep 60 & echo $!; wait", mark);
  const start = processStart(stray);

  await endTree({ pid: leader.pid ?? 0, mark }, 5_000);

  expect(isProcessRunning(stray, start)).toBe(false);
});

onLinux("a child that left an unmarked group is found among its descendants", async () => {
  const [leader] = await startTree("setsid sh -c 'echo $$; sleep 60' & wait");
  const tree = treeOf(leader.pid ?? 0);

  expect(tree.strays?.length).toBeGreaterThan(0);
  await endTree(tree, 5_000);

  for (const { pid, start } of tree.strays ?? []) expect(isProcessRunning(pid, start)).toBe(false);
});

onLinux(
  "descendants of a registered command are found until it and its group are gone",
  async () => {
    const [leader, child] = await startTree("sleep 60 & echo $!; wait", "a-command");
    const pid = leader.pid ?? 0;
    const unregister = registerCommand(pid, false);

    const { entries, descendants } = findOwnDescendants();
    expect([descendants.has(pid), descendants.has(child), descendants.has(process.pid)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([carriesMark(child, entries), carriesMark(process.pid, entries)]).toEqual([true, false]);
    unregister();

    const ended = once(leader, "exit");
    await endTree({ pid }, 5_000);
    await ended;
    expect(findOwnDescendants().descendants.has(child)).toBe(false);
  },
);

onLinux("the launcher of a sandbox is ours, while its children are not", async () => {
  const [leader, child] = await startTree("sleep 60 & echo $!; wait");
  const pid = leader.pid ?? 0;
  const unregister = registerCommand(pid, true);

  const { descendants } = findOwnDescendants();
  unregister();
  await endTree({ pid }, 5_000);

  expect([descendants.has(pid), descendants.has(child)]).toEqual([false, true]);
  expect(processEntries().some((entry) => entry.pid === child)).toBe(false);
});
