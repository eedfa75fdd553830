import { expect, test } from "vitest";
import { fileShape } from "../../../src/config/check/shape.generated.js";
import { isStricter, type StricterOnly, shapeAt } from "../../../src/config/check/shape.js";

const rule = fileShape.keys?.approval_policy?.project as StricterOnly;
const granular = (rules: boolean) => ({ granular: { rules } });

test.each<[theirs: unknown, own: unknown, expected: boolean]>([
  [granular(true), "never", true],
  [granular(true), "on-failure", false],
  [granular(true), "on-request", false],
  [granular(true), "untrusted", false],
  [granular(true), granular(false), false],
  [granular(true), granular(true), true],
  ["on-request", granular(true), true],
  ["on-failure", granular(true), false],
  ["never", granular(true), false],
  ["never", undefined, false],
  ["on-request", undefined, true],
  ["anything", "never", false],
  ["untrusted", "anything", true],
])("[security H6] %j beside the user's %j: %j", (theirs, own, expected) => {
  expect(isStricter(theirs, own, rule)).toBe(expected);
});

test.each([
  [["model"], { type: "string", project: true }],
  [["tui", "theme"], { type: "string" }],
  [["mcp_servers", "any name", "command"], { type: "string", project: true }],
  [["projects", "/p", "trust_level"], { enum: ["trusted", "untrusted"] }],
  [["features", "unified_exec"], { type: "boolean", project: true }],
  [["mcp_oauth_callback_port"], { type: "integer", minimum: 0, maximum: 65_535 }],
  [["none"], undefined],
  [["model", "below"], undefined],
  [["toString"], undefined],
])("the shape at %j is %j", (path, shape) => {
  expect(shapeAt(fileShape, path)).toEqual(shape);
});
