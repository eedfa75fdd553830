import { expect, test } from "vitest";
import { toDynamicTools } from "../../../src/protocol/read/dynamic-tool.js";

const inputSchema = { type: "object", properties: { a: { type: "number" } } };
const add = { name: "add", description: "Adds.", inputSchema };

test.each([
  ["single tools", [add], [add]],
  [
    "a schema in snake_case",
    [{ ...add, inputSchema: undefined, input_schema: inputSchema }],
    [add],
  ],
  [
    "a tool with only a name",
    [{ name: "now" }],
    [{ name: "now", description: "", inputSchema: { type: "object", properties: {} } }],
  ],
  [
    "a namespace",
    [{ type: "namespace", name: "math", description: "Arithmetic.", tools: [add] }],
    [{ ...add, namespace: "math", namespaceDescription: "Arithmetic." }],
  ],
  [
    "a namespace without a description",
    [{ type: "namespace", name: "math", tools: [add] }],
    [{ ...add, namespace: "math" }],
  ],
  [
    "a tool that names its namespace",
    [{ ...add, namespace: "math", namespaceDescription: "Arithmetic." }],
    [{ ...add, namespace: "math", namespaceDescription: "Arithmetic." }],
  ],
  ["entries that are no tools", [5, null, {}, { name: 1 }, { type: "namespace" }, add], [add]],
  ["something that is no list", { tools: [add] }, []],
])("reads %s", (_, value, tools) => {
  expect(toDynamicTools(value)).toEqual(tools);
});
