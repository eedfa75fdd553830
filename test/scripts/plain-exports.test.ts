import { expect, test } from "vitest";
import { toPlainExports } from "../../scripts/plain-exports.mjs";

test("what a module defines is assigned to its exports once it is there", () => {
  const code = "__export(exports,{a:()=>a,b:()=>c$1});function a(){}const c$1=a()";

  expect(toPlainExports(code)).toBe("function a(){}const c$1=a();exports.a=a;exports.b=c$1;");
});

test("what a module passes on from another one is still got when it is used", () => {
  const code = "__export(exports,{a:()=>a,b:()=>import_b.b});function a(){}";

  expect(toPlainExports(code)).toBe(code);
});
