import { expect, test } from "vitest";
import { MethodTable, RpcError } from "../../src/jsonrpc/index.js";
import { RpcRequest } from "../../src/jsonrpc/request.js";

test("a request goes to its handler with checked params and the context of the caller", () => {
  const table = new MethodTable<{ user: string }>().on(greet, ({ name }, { user }, request) => {
    return `${user} greets ${name} (${request.id})`;
  });

  expect(table.call(ask("greet", { name: "Ada" }), { user: "Bob" })).toBe("Bob greets Ada (1)");
});

test("without a check the params are whatever came", () => {
  const table = new MethodTable<undefined>().on({ name: "echo" }, (params) => params);

  expect(table.call(ask("echo", [1, 2]), undefined)).toEqual([1, 2]);
});

test("unknown methods and bad params have the codes of JSON-RPC", () => {
  const table = new MethodTable<undefined>().on(greet, () => "hi");

  expect(() => table.call(ask("toString"), undefined)).toThrow(
    new RpcError(-32601, "Unknown method `toString`"),
  );
  expect(() => table.call(ask("greet", {}), undefined)).toThrow(
    new RpcError(-32602, "Bad params for `greet`: missing field `name`"),
  );
});

test("a surface may have words of its own for both", () => {
  const table = new MethodTable<undefined>({
    unknownMethod: (name, known) =>
      new RpcError(-32600, `unknown variant \`${name}\`, expected one of ${known.join()}`),
    invalidParams: (_, problem) => new RpcError(-32600, `Invalid request: ${problem}`),
  })
    .on(greet, () => "hi")
    .on({ name: "wave" }, () => "hi");

  expect(codeAndText(() => table.call(ask("nod"), undefined))).toEqual([
    -32600,
    "unknown variant `nod`, expected one of greet,wave",
  ]);
  expect(codeAndText(() => table.call(ask("greet"), undefined))).toEqual([
    -32600,
    "Invalid request: Error: missing field `name`",
  ]);
});

test("a check may say the whole error itself", () => {
  const strict = {
    name: "strict",
    check(): never {
      throw new RpcError(-1, "exactly this");
    },
  };
  const table = new MethodTable<undefined>().on(strict, () => "hi");

  expect(codeAndText(() => table.call(ask("strict"), undefined))).toEqual([-1, "exactly this"]);
});

test("a method has one handler", () => {
  const table = new MethodTable<undefined>().on(greet, () => "hi");

  expect(() => table.on(greet, () => "hello")).toThrow("greet has a handler already");
});

const greet = {
  name: "greet",
  check(params: unknown): { name: string } {
    const { name } = (params ?? {}) as { name?: unknown };
    if (typeof name !== "string") throw new Error("missing field `name`");
    return { name };
  },
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
