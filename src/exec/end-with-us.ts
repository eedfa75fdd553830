import { type ProcessTree, signalTree } from "../lib/process-tree.js";

/** The trees of this process; there is one process, so there is one set. */
const living = new Set<ProcessTree>();

/**
 * Makes a tree end when this process does, for whatever reason but being killed: a client that is
 * gone or a bug of ours must not leave commands behind. Returns what takes that back.
 */
export function endWithUs(tree: ProcessTree): () => void {
  if (living.size === 0) process.on("exit", killAll);
  living.add(tree);
  return () => {
    living.delete(tree);
    if (living.size === 0) process.off("exit", killAll);
  };
}

/** Twice, since what is being killed may have been starting something. */
function killAll(): void {
  for (let round = 0; round < 2; round++) {
    for (const tree of living) signalTree(tree, "SIGKILL");
  }
}
