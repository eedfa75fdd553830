import { expect, test } from "vitest";
import { readHostLine } from "../../src/cells/messages.js";

test.each([
  { type: "started" },
  { type: "text", text: "" },
  { type: "image", url: "data:", detail: null },
  { type: "image", url: "data:", detail: "high" },
  { type: "notify", text: "x" },
  { type: "store", key: "k", value: "1" },
  { type: "yield" },
  { type: "call", call: 0, name: "exec_command", input: "{}" },
  { type: "done" },
  { type: "done", error: "Error: x" },
  { type: "done", failure: "memory" },
])("%j is a message of its cell", (message) => {
  expect(readHostLine(JSON.stringify({ cell: 3, ...message }))).toEqual({ cell: 3, message });
});

test.each([
  "",
  "text",
  "null",
  "[]",
  "5",
  "{}",
  '{"cell":1}',
  '{"cell":"1","type":"yield"}',
  '{"type":"yield"}',
  '{"cell":1,"type":"unknown"}',
  '{"cell":1,"type":"toString"}',
  '{"cell":1,"type":["text"],"text":"x"}',
  '{"cell":1,"type":"text"}',
  '{"cell":1,"type":"text","text":5}',
  '{"cell":1,"type":"image","url":"x"}',
  '{"cell":1,"type":"image","url":1,"detail":null}',
  '{"cell":1,"type":"image","url":"x","detail":1}',
  '{"cell":1,"type":"notify","text":null}',
  '{"cell":1,"type":"store","key":"k"}',
  '{"cell":1,"type":"store","key":1,"value":"x"}',
  '{"cell":1,"type":"call","call":"0","name":"a","input":""}',
  '{"cell":1,"type":"call","call":0,"name":"a"}',
  '{"cell":1,"type":"call","call":0,"input":""}',
  '{"cell":1,"type":"done","error":{}}',
  '{"cell":1,"type":"done"',
])("the line %s is no message", (line) => {
  expect(readHostLine(line)).toBeUndefined();
});
