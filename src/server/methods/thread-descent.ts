import { CodexError } from "../../protocol/error.js";
import type { ThreadListParams } from "../../protocol/rpc/v2/thread-list.js";
import { type ListOptions, parentThreadOf, type ThreadFacts } from "../../rollout/index.js";
import { assertThreadId } from "../connection.js";

/** Params that limit a list to what another thread has started. */
type Descent = Pick<
  ThreadListParams,
  "archived" | "parentThreadId" | "ancestorThreadId" | "attachedToThreadId"
>;

/** Returns a filter for the threads that another one has started; `list` returns all threads with some options. */
export async function descentOf(
  { archived = false, parentThreadId, ancestorThreadId, attachedToThreadId }: Descent,
  list: (options: ListOptions) => Promise<readonly ThreadFacts[]>,
): Promise<(facts: ThreadFacts) => boolean> {
  if (attachedToThreadId !== undefined) {
    if ((parentThreadId ?? ancestorThreadId) !== undefined) {
      throw refused(
        "attachedToThreadId cannot be combined with parentThreadId or ancestorThreadId",
      );
    }
    assertThreadId(attachedToThreadId, "attached thread parent id");
    return () => false; // no thread can be attached to another
  }
  if (parentThreadId !== undefined) {
    if (ancestorThreadId !== undefined) {
      throw refused("parentThreadId and ancestorThreadId are mutually exclusive");
    }
    assertThreadId(parentThreadId, "parent thread id");
    const parent = parentThreadId.toLowerCase();
    return ({ source }) => parentThreadOf(source) === parent;
  }
  assertThreadId(ancestorThreadId ?? "", "ancestor thread id");
  const accepts = ({ source }: ThreadFacts) => parentThreadOf(source) !== undefined;
  const agents = await list({ archived, accepts, agents: "all", pageSize: Infinity });
  return isBelow(String(ancestorThreadId).toLowerCase(), agents);
}

function isBelow(
  ancestor: string,
  agents: readonly ThreadFacts[],
): (facts: ThreadFacts) => boolean {
  const parents = new Map(agents.map(({ id, source }) => [id, parentThreadOf(source)]));
  return ({ id }) => {
    const passed = new Set<string>();
    let parent = parents.get(id);
    while (parent !== undefined && parent !== ancestor && !passed.has(parent)) {
      passed.add(parent);
      parent = parents.get(parent);
    }
    return parent === ancestor;
  };
}

function refused(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
