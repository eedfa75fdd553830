import { describe, expect, test } from "vitest";
import { Translation } from "../../src/inspect/translate.js";

describe("a translation to era 0.104", () => {
  const translation = new Translation("0.104");

  test.each([
    ["a message that is the same", { method: "item/agentMessage/delta", params: { delta: "a" } }],
    ["an error", { id: 1, error: { code: 1, message: "m" } }],
    ["a result of a request that is not known", { id: 9, result: {} }],
    ["a value that is no message", "text"],
  ])("passes %s on as it is", (_, message) => {
    expect(translation.translate(message, undefined)).toEqual({
      toClient: [message],
      toServer: [],
    });
  });

  test("drops the time of a notification, and notifications that the era does not have", () => {
    const params = { delta: "a" };

    expect(
      translation.translate(
        { method: "item/agentMessage/delta", params, emittedAtMs: 5 },
        undefined,
      ),
    ).toEqual({
      toClient: [{ method: "item/agentMessage/delta", params }],
      toServer: [],
      done: "translated to era 0.104",
    });
    expect(translation.translate({ method: "thread/goal/updated", params: {} }, undefined)).toEqual(
      { toClient: [], toServer: [], done: "dropped: era 0.104 does not have it" },
    );
  });

  test("answers a request that the client cannot know, on its behalf", () => {
    const { toClient, toServer } = translation.translate(
      { id: "r1", method: "thread/goal/updated", params: {} },
      undefined,
    );

    expect(toClient).toEqual([]);
    expect(toServer).toEqual([
      {
        id: "r1",
        error: {
          code: -32601,
          message: "A client of era 0.104 does not know thread/goal/updated",
        },
      },
    ]);
  });

  test("states its version to clients", () => {
    const result = { userAgent: "t/0.166.0 (Debian 12.0.0; x86_64) xterm (t; 1)", codexHome: "/h" };

    expect(translation.translate({ id: 0, result }, "initialize").toClient).toEqual([
      { id: 0, result: { userAgent: "t/0.104.0 (Debian 12.0.0; x86_64) xterm (t; 1)" } },
    ]);
  });

  test.each([
    ["0.45", false],
    ["0.104", false],
    ["0.166", true],
    ["current", true],
    [undefined, true],
  ] as const)("applies to a server of era %s: %s", (era, applies) => {
    expect(translation.appliesTo(era)).toBe(applies);
  });
});
