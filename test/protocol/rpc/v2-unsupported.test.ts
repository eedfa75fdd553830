import { expect, test } from "vitest";
import type { Declaration } from "../../../src/protocol/rpc/declare.js";
import { resources } from "../../../src/protocol/rpc/v2/resources.generated.js";
import { unsupported } from "../../../src/protocol/rpc/v2/unsupported.js";

test("no method is both answered and said not to be supported", () => {
  const modules = Object.values(resources).flatMap((module) => Object.values(module));
  const declared = modules.filter(Array.isArray).flat() as Declaration[];
  const names = declared.filter(({ kind }) => kind === "method").map(({ name }) => name);

  expect(names.filter((name) => Object.hasOwn(unsupported, name))).toEqual([]);
});

test("each reason is a sentence", () => {
  const others = Object.values(unsupported).filter((why) => !/^[A-Z`].*\.$/.test(why));

  expect(others).toEqual([]);
});
