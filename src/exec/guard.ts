import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { markName, type ProcessTree } from "../lib/process-tree.js";

/**
 * Makes a tree end when this process is gone, even if it is killed and cannot clean up. A tree that has not
 * started yet is known by its mark, and has the pid 0.
 *
 * One small shell process waits for the end of a pipe that only this process holds. The first call starts it,
 * and it ends soon after the last tree. Returns a function that cancels this.
 */
export function guardTree(tree: ProcessTree): () => void {
  const line = `${tree.pid} ${tree.mark ?? "-"}\n`;
  clearTimeout(idle);
  if (guard === undefined) {
    guard = startGuard();
    for (const other of guarded) guard.write(`+ ${other}`);
  }
  guarded.add(line);
  guard.write(`+ ${line}`);
  return () => {
    if (!guarded.delete(line)) return;
    guard?.write(`- ${line}`);
    if (guarded.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => {
      guard?.end();
      guard = undefined;
    }, idleMs).unref();
  };
}

/** The trees of this process; there is one process, so there is one guard. */
const guarded = new Set<string>();
let guard: Writable | undefined;
let idle: NodeJS.Timeout | undefined;
/** Most commands are short, and the next one often follows at once. */
const idleMs = 100;

/**
 * Reads the trees from its input, and kills those that are left when the input ends: twice, because a process
 * being killed may have just forked.
 *
 * Children that left the group of their tree are found by its mark, where the system shows the environment
 * of processes.
 */
const script = `
trees=
while read -r change pid mark; do
  case $change in
    +) trees="$trees $pid:$mark" ;;
    -) rest=
       for tree in $trees; do [ "$tree" = "$pid:$mark" ] || rest="$rest $tree"; done
       trees=$rest ;;
  esac
done
for tree in $trees $trees; do
  [ "\${tree%%:*}" = 0 ] || kill -KILL -- "-\${tree%%:*}" 2>/dev/null
  mark=\${tree#*:}
  [ "$mark" = - ] && continue
  for file in $(grep -slzx -- "${markName}=$mark" /proc/[0-9]*/environ 2>/dev/null); do
    file=\${file#/proc/}
    kill -KILL "\${file%/environ}" 2>/dev/null
  done
done
`;

function startGuard(): Writable {
  // In a separate group, so that it is not ended with this process by a signal from the terminal.
  const child: ChildProcess = spawn("/bin/sh", ["-c", script], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.on("error", () => {}); // Without it, only a kill leaves processes behind.
  child.unref();
  const input = child.stdin as Writable & { unref?(): void };
  child.once("exit", () => {
    if (guard === input) guard = undefined;
  });
  input.on("error", () => {});
  input.unref?.();
  return input;
}
