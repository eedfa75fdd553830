import { expect, test } from "vitest";
import { RpcRequest } from "../../src/jsonrpc/answers.js";
import { type Handlers, MethodTable, RpcError, rpcCodes } from "../../src/jsonrpc/index.js";

test("a request reaches its handler with checked params and the caller's context", () => {
  const table = new MethodTable<{ user: string }>().add<Greetings>(checks, {
    greet: ({ name }, { user }, request) => `${user} greets ${name} (${request.id})`,
    wave: () => "",
  });

  expect(table.call(ask("greet", { name: "Ada" }), { user: "Bob" })).toBe("Bob greets Ada (1)");
});

test("without a check the params are passed as received", () => {
  const table = new MethodTable<undefined>().add<{ echo: { params: unknown; result: unknown } }>(
    { echo: {} },
    { echo: (params) => params },
  );

  expect(table.call(ask("echo", [1, 2]), undefined)).toEqual([1, 2]);
});

test("unknown methods and bad params have the codes of JSON-RPC", () => {
  const table = new MethodTable<undefined>().add(checks, handlers);

  expect(() => table.call(ask("toString"), undefined)).toThrow(
    new RpcError(-32601, "Unknown method `toString`"),
  );
  expect(() => table.call(ask("greet", {}), undefined)).toThrow(
    new RpcError(-32602, "Bad params for `greet`: missing field `name`"),
  );
});

test("a surface can define both errors", () => {
  const table = new MethodTable<undefined>({
    unknownMethod: (name, known) =>
      new RpcError(-32600, `unknown variant \`${name}\`, expected one of ${known.join()}`),
    invalidParams: (_, problem) => new RpcError(-32600, `Invalid request: ${problem}`),
  }).add(checks, handlers);

  expect(codeAndText(() => table.call(ask("nod"), undefined))).toEqual([
    -32600,
    "unknown variant `nod`, expected one of greet,wave",
  ]);
  expect(codeAndText(() => table.call(ask("greet"), undefined))).toEqual([
    -32600,
    "Invalid request: Error: missing field `name`",
  ]);
});

test("an RpcError of a check is the reply's error as it is", () => {
  const check = (): never => {
    throw new RpcError(-1, "exactly this");
  };
  const table = new MethodTable<undefined>().add<{ strict: { params: unknown; result: string } }>(
    { strict: { check } },
    { strict: () => "hi" },
  );

  expect(codeAndText(() => table.call(ask("strict"), undefined))).toEqual([-1, "exactly this"]);
});

test("a method has one handler", () => {
  const table = new MethodTable<undefined>().add(checks, handlers);

  expect(() => table.add(checks, handlers)).toThrow("greet already has a handler");
});

test("handlers that are missing, unknown or return a wrong result do not compile", () => {
  // @ts-expect-error `wave` is missing
  const missing: Handlers<Greetings, undefined> = { greet: () => "hi" };
  // @ts-expect-error `nod` is not declared
  const unknown: Handlers<Greetings, undefined> = { ...handlers, nod: () => "hi" };
  // @ts-expect-error the result is a string
  const wrong: Handlers<Greetings, undefined> = { ...handlers, greet: () => 1 };

  expect([missing, unknown, wrong]).toHaveLength(3);
});

test("a method that is not offered is unknown", () => {
  const methods = new MethodTable<undefined>().add(checks, handlers, (name) => name !== "wave");

  expect(methods.call(ask("greet", { name: "Ann" }), undefined)).toBe("hi");
  expect(codeAndText(() => methods.call(ask("wave"), undefined))).toEqual([
    rpcCodes.methodNotFound,
    "Unknown method `wave`",
  ]);
});

interface Greetings {
  greet: { params: { name: string }; result: string };
  wave: { params: unknown; result: string };
}

const handlers: Handlers<Greetings, undefined> = { greet: () => "hi", wave: () => "hi" };

const checks = {
  greet: {
    check(params: unknown): { name: string } {
      const { name } = (params ?? {}) as { name?: unknown };
      if (typeof name !== "string") throw new Error("missing field `name`");
      return { name };
    },
  },
  wave: {},
};

function ask(method: string, params?: unknown): RpcRequest {
  return new RpcRequest(1, method, params);
}

function codeAndText(action: () => unknown): unknown[] {
  try {
    action();
  } catch (error) {
    if (error instanceof RpcError) return [error.code, error.message];
  }
  return [];
}
