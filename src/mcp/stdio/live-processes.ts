import { signalTree, treeOf } from "../../lib/process-tree.js";

/** Kills the programs that are still there when our own process ends without having closed them. */
export class LiveProcesses {
  readonly #pids = new Set<number>();

  add(pid: number): void {
    if (this.#pids.size === 0) process.on("exit", this.#killAll);
    this.#pids.add(pid);
  }

  remove(pid: number): void {
    if (this.#pids.delete(pid) && this.#pids.size === 0) process.off("exit", this.#killAll);
  }

  readonly #killAll = (): void => {
    for (const pid of this.#pids) signalTree(treeOf(pid), "SIGKILL");
  };
}
