import type { Static } from "typebox";
import { expect, test } from "vitest";
import type * as protocol from "../../src/protocol/index.js";
import type * as types from "../../src/protocol/types.js";

/** Compiles only if both types are assignable to each other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

test("each union of types has the members of its schema", () => {
  const same: true[] = [
    true satisfies Same<types.Op["type"], Static<typeof protocol.Op>["type"]>,
    true satisfies Same<types.EventMsg["type"], Static<typeof protocol.EventMsg>["type"]>,
    true satisfies Same<types.ResponseItem, Static<typeof protocol.ResponseItem>>,
    true satisfies Same<
      types.ResponseInputItem["type"],
      Static<typeof protocol.ResponseInputItem>["type"]
    >,
    true satisfies Same<types.SandboxPolicy, Static<typeof protocol.SandboxPolicy>>,
    true satisfies Same<types.ReviewDecision, Static<typeof protocol.ReviewDecision>>,
    true satisfies Same<types.InputItem, Static<typeof protocol.InputItem>>,
    true satisfies Same<types.FileChange, Static<typeof protocol.FileChange>>,
    true satisfies Same<types.TurnItem, Static<typeof protocol.TurnItem>>,
    true satisfies Same<types.RolloutLine["type"], Static<typeof protocol.RolloutLine>["type"]>,
    true satisfies Same<types.ToolSpec, Static<typeof protocol.ToolSpec>>,
  ];

  expect(same).not.toContain(false);
});

test("an event is discriminated by its type", () => {
  const event: types.Event = { id: "1", msg: { type: "agent_message", message: "hi" } };

  const said = event.msg.type === "agent_message" ? event.msg.message : undefined;

  expect(said).toBe("hi");
});

test("optional fields may be left out, and only three-state ones be null", () => {
  const override: types.Op = { type: "override_turn_context", effort: null };
  // @ts-expect-error: null is not a model
  const wrong: types.Op = { type: "override_turn_context", model: null };

  expect([override.type, wrong.type]).toEqual(["override_turn_context", "override_turn_context"]);
});
