import { expect, test } from "vitest";
import { unsupported } from "../../../src/protocol/rpc/v2/unsupported.js";
import { declarations } from "./declarations.js";

test("no method is both declared and unsupported", () => {
  const names = declarations.v2.map(({ name }) => name);

  expect(names.filter((name) => Object.hasOwn(unsupported, name))).toEqual([]);
});

test("each reason is a sentence", () => {
  const others = Object.values(unsupported).filter((why) => !/^[A-Z`].*\.$/.test(why));

  expect(others).toEqual([]);
});
