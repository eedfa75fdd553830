import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

test("no module exports what it may assign to later, since others would not see that", () => {
  const folder = join(import.meta.dirname, "../../src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const modules = files.filter((file) => file.endsWith(".ts"));

  const changing = modules.filter((file) =>
    /^export (?:let|var) /m.test(readFileSync(join(folder, file), "utf8")),
  );

  expect([modules.length > 500, changing]).toEqual([true, []]);
});
