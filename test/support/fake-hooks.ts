import type { HookCall, HookEventName, HookOutcome, Hooks } from "../../src/hooks/index.js";

type Answers = Partial<
  Record<HookEventName, (call: HookCall) => Partial<HookOutcome> | Promise<Partial<HookOutcome>>>
>;

/** Hooks that are functions of a test, and the calls that they got. */
export interface FakeHooks extends Hooks {
  readonly calls: HookCall[];
  isClosed: boolean;
}

/** Creates hooks that follow the events in `answers`. */
export function fakeHooks(answers: Answers): FakeHooks {
  const calls: HookCall[] = [];
  return {
    calls,
    isClosed: false,
    has: (event) => answers[event] !== undefined,
    async run(call) {
      calls.push(call);
      return { contexts: [], ...(await answers[call.event]?.(call)) };
    },
    async close() {
      this.isClosed = true;
    },
  };
}
