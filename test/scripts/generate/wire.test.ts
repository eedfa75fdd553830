import Type from "typebox";
import { expect, test } from "vitest";
import { writeWireTable } from "../../../scripts/generate/wire.js";
import { defineMethod, defineNotification } from "../../../src/protocol/rpc/declare.js";

const shape = { scope: "server", summary: "A summary.", params: Type.Object({}) } as const;

test("the dates of methods and notifications are in the table", () => {
  const table = writeWireTable([
    defineMethod({ ...shape, name: "new/method", result: Type.Object({}), since: "current" }),
    defineMethod({ ...shape, name: "old/method", result: Type.Object({}) }),
    defineNotification({ ...shape, name: "gone/notification", until: "0.104" }),
  ]);

  expect(table).toMatch(/"?new\/method"?:\s*\{\s*"?since"?:\s*"current"\s*\}/);
  expect(table).toMatch(/"?gone\/notification"?:\s*\{\s*"?until"?:\s*"0.104"\s*\}/);
  expect(table).not.toContain("old/method");
});
