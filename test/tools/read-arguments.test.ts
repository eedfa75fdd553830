import { describe, expect, test } from "vitest";
import { parameters, values } from "../../src/tools/parameters.js";
import { readArguments } from "../../src/tools/read-arguments.js";

const schema = parameters(
  {
    command: { type: "array", items: { type: "string" } },
    login: { type: "boolean" },
    mode: { type: "string", [values]: ["fast", "slow"] },
    nested: parameters({ path: { type: "string" } }, ["path"]),
    timeout: { type: "number" },
  },
  ["command"],
);

describe("arguments that fit", () => {
  test.each<[string, unknown]>([
    ['{"command":["ls"]}', { command: ["ls"] }],
    [' {\n "command" : [ ] }\n', { command: [] }],
    ['{"command":["a","b"],"login":true}', { command: ["a", "b"], login: true }],
    ['{"command":[],"timeout":1.5e3}', { command: [], timeout: 1500 }],
    ['{"command":[],"timeout":-2}', { command: [], timeout: -2 }],
    ['{"command":[],"mode":"slow"}', { command: [], mode: "slow" }],
    ['{"command":[],"nested":{"path":"x"}}', { command: [], nested: { path: "x" } }],
    ['{"command":["\\u00e9\\n\\"q\\""]}', { command: ['é\n"q"'] }],
  ])("%s is read", (text, expected) => {
    expect(readArguments(schema, text)).toEqual({ arguments: expected });
  });

  test("an unknown field is accepted, whatever its value", () => {
    const text = '{"command":[],"extra":{"deep":[1,null,false,"x"]}}';

    expect(readArguments(schema, text)).toMatchObject({ arguments: { command: [] } });
  });

  test("null counts as omitted", () => {
    expect(readArguments(schema, '{"command":[],"login":null}')).toEqual({
      arguments: { command: [] },
    });
  });

  test("a field named __proto__ does not change the prototype", () => {
    const read = readArguments(schema, '{"command":[],"__proto__":{"polluted":true}}');

    expect(read.problem).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(read.arguments ?? {})).toBe(Object.prototype);
  });
});

describe("arguments with a mistake", () => {
  test.each<[string, string, number, number]>([
    ["", "EOF while parsing", 1, 0],
    ["[]", "invalid type: sequence, expected a map", 1, 0],
    ['"x"', 'invalid type: string "x", expected a map', 1, 3],
    ["{}", "missing field `command`", 1, 2],
    ['{"command":null}', "missing field `command`", 1, 16],
    ['{"command":"ls"}', 'invalid type: string "ls", expected a sequence', 1, 15],
    ['{"command":[1]}', "invalid type: integer `1`, expected a string", 1, 13],
    ['{"command":[1.5]}', "invalid type: floating point `1.5`, expected a string", 1, 15],
    ['{"command":[true]}', "invalid type: boolean `true`, expected a string", 1, 16],
    ['{"command":[{}]}', "invalid type: map, expected a string", 1, 12],
    ['{"command":[],"login":"yes"}', 'invalid type: string "yes", expected a boolean', 1, 27],
    ['{"command":[],"timeout":"1"}', 'invalid type: string "1", expected a number', 1, 27],
    ['{"command":[],"nested":{}}', "missing field `path`", 1, 25],
    ['{"command":[],"mode":"odd"}', "unknown variant `odd`, expected one of `fast`, `slow`", 1, 26],
    ['{"command":["a" "b"]}', "expected `,` or `]`", 1, 17],
    ['{"command":[] "login":true}', "expected `,` or `}`", 1, 15],
    ["{command:[]}", "key must be a string", 1, 2],
    ['{"command" []}', "expected `:`", 1, 12],
    ['{"command":[]} x', "trailing characters", 1, 16],
    ['{"command":["a', "EOF while parsing a string", 1, 14],
    ['{"command":["a"', "EOF while parsing a list", 1, 15],
    ['{"command":[]', "EOF while parsing an object", 1, 13],
    ['{"command":["\\x"]}', "invalid escape", 1, 16],
    ['{\n"command":[]\n,\n"login":1}', "invalid type: integer `1`, expected a boolean", 4, 9],
  ])("%j: %s at line %d column %d", (text, what, line, column) => {
    const { problem } = readArguments(schema, text);

    expect(problem?.what).toContain(what);
    expect({ line: problem?.line, column: problem?.column }).toEqual({ line, column });
  });
});
