import type { FunctionToolSpec, NamespaceToolSpec } from "../protocol/types.js";
import { defineTool } from "./define-tool.js";
import { parameters } from "./parameters.js";
import { failed, ok } from "./tool.js";
import type { ToolBox } from "./tool-box.js";

/** Name of the group in which models know these tools. */
const clockNamespace = "clock";

const longestSleepMs = 12 * 60 * 60 * 1000;

const currTime = defineTool({
  name: "curr_time",
  description: "Returns the current time in UTC.",
  input: parameters({}, []),
  isReadOnly: () => true,
  async run(_, { now = Date.now }) {
    const time = new Date(now()).toISOString();
    const current_time = `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
    return { ...ok(`It is ${current_time}.`), value: { current_time } };
  },
});

const sleep = defineTool({
  name: "sleep",
  description:
    "Waits, for example until something outside is done that cannot be waited for in another way. New " +
    "input of the user or a message of an agent ends it early.",
  input: parameters(
    {
      duration_ms: {
        type: "number",
        description: `Time to wait in milliseconds: 1 to ${longestSleepMs} (12 hours).`,
      },
    },
    ["duration_ms"],
  ),
  isReadOnly: () => true,
  async run({ duration_ms }, { awaitInput, callId, emitItem }) {
    if (!(duration_ms >= 1 && duration_ms <= longestSleepMs)) {
      return failed(`duration_ms must be between 1 and ${longestSleepMs}`);
    }
    const item = { type: "Sleep", id: callId, duration_ms: Math.round(duration_ms) } as const;
    const began = performance.now();
    emitItem?.("item_started", item);
    const isInterrupted = await awaitInput(duration_ms);
    emitItem?.("item_completed", item);
    const seconds = ((performance.now() - began) / 1000).toFixed(4);
    const outcome = isInterrupted ? "Sleep interrupted by new input." : "Sleep completed.";
    return ok(`Wall time: ${seconds} seconds\n${outcome}`);
  },
});

const byName = new Map([
  ["curr_time", currTime],
  ["sleep", sleep],
]);

const spec: NamespaceToolSpec = {
  type: "namespace",
  name: clockNamespace,
  description: "The time, and waiting for it to pass.",
  tools: [currTime, sleep].map((tool) => tool.spec as FunctionToolSpec),
};

/** Adds the clock to a box; it is offered to models that know it. */
export function withClock(box: ToolBox): ToolBox {
  return {
    ...box,
    get background() {
      return box.background;
    },
    offered(turn) {
      const own = box.offered(turn);
      return turn.family.clock === true && turn.isReview !== true ? [...own, spec] : own;
    },
    find: (kind, name, namespace) =>
      namespace === clockNamespace && kind === "function"
        ? byName.get(name)
        : box.find(kind, name, namespace),
  };
}
