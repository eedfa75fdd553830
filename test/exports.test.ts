import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const { exports: doors } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));

test("the package has these doors", () => {
  expect(Object.keys(doors)).toEqual([
    ".",
    "./client",
    "./engine",
    "./protocol",
    "./server",
    "./testing",
    "./tools",
    "./transport",
    "./schema/*",
    "./package.json",
  ]);
});

test.each([
  [".", ["Codex", "CodexError", "Thread"]],
  [
    "./client",
    [
      "CodexClient",
      "RpcError",
      "Thread",
      "ThreadEventReader",
      "ThreadFeed",
      "connectAppServer",
      "connectQueues",
      "rpcCodes",
      "runTurn",
    ],
  ],
  ["./engine", ["createLocalParts", "createQueues", "runCodex", "unknownModelWarning"]],
  [
    "./server",
    [
      "Server",
      "createLocalParts",
      "serveAppServer",
      "serveListener",
      "serveMcp",
      "serveQueues",
      "startInProcessAppServer",
    ],
  ],
])("the built door %s has this and nothing else", async (name, promised) => {
  const door = await import(resolve(root, doors[name].default));

  expect(Object.keys(door).sort()).toEqual(promised);
});

test("the protocol, and what it loads, needs nothing of Node", () => {
  const waiting = [resolve(root, doors["./protocol"].default)];
  const outside: string[] = [];
  for (const file of waiting) {
    const text = readFileSync(file, "utf8");
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b[^;]*?"([^"]+)";/gm)) {
      const path = resolve(dirname(file), specifier);
      if (!specifier.startsWith(".")) outside.push(specifier);
      else if (!waiting.includes(path)) waiting.push(path);
    }
  }

  expect(outside).toEqual([]);
});

test.each([
  ["transport", ["Malformed", "connect", "linkedChannels", "listen", "stdioChannel"]],
  ["tools", ["createToolBox", "defineTool", "failed", "ok", "parameters"]],
  ["protocol", ["CodexError", "Event", "Op", "Submission", "parseEvent", "parseSubmission"]],
])("the built door ./%s opens and has what it promises", async (name, promised) => {
  const door = await import(resolve(root, doors[`./${name}`].default));

  expect(promised.filter((one) => !(one in door))).toEqual([]);
});
