import { expect, test } from "vitest";
import { toLazy } from "../../scripts/lazy-imports.mjs";

test("what a module imports is loaded where it is first used", () => {
  const code = 'var import_a=require("a"),b=1;exports.c=()=>(0,import_a.d)(b);';

  expect(toLazy(code)).toBe(
    'var import_a;var b=1;exports.c=()=>(0,(import_a??=require("a")).d)(b);',
  );
});

test("what is spread, constructed or extended is loaded there too", () => {
  const code =
    'var import_a=__toESM(require("a"),1);const x={...import_a.b};class C extends import_a.D{}new import_a.E(x.import_a.f);';

  expect(toLazy(code)).toBe(
    'var import_a;var __none;const x={...(import_a??=__toESM(require("a"),1)).b};' +
      'class C extends (import_a??=__toESM(require("a"),1)).D{}' +
      'new (import_a??=__toESM(require("a"),1)).E(x.import_a.f);',
  );
});

test("a module that is used as a whole is loaded at once, and one that is not used never", () => {
  const code = 'var import_a=require("a"),import_b=require("b");use(import_a,import_a.c);';

  expect(toLazy(code)).toBe('var import_a=require("a"),__none;use(import_a,import_a.c);');
});
