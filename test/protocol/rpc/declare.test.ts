import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Declaration } from "../../../src/protocol/rpc/declare.js";
import { v1Methods } from "../../../src/protocol/rpc/v1/methods.generated.js";
import { v2Methods } from "../../../src/protocol/rpc/v2/methods.generated.js";
import { declarations } from "./declarations.js";

const surfaces = [
  { name: "v1" as const, doc: "docs/app-server-v1.md", methods: v1Methods as object },
  { name: "v2" as const, doc: "docs/app-server.md", methods: v2Methods as object },
];

describe.each(surfaces)("the messages of $name", ({ name: surface, doc, methods }) => {
  const messages = declarations[surface];

  test("have unique names", () => {
    const names = messages.map(({ name }) => name);

    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("have a summary of one or more sentences, without line breaks", () => {
    const odd = messages.filter(({ summary }) => !/^[A-Z][^\n]+\.$/.test(summary));

    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  test("have a row in the docs with scope and summary", async () => {
    const text = await readFile(doc, "utf8");

    const missing = messages.filter(({ name, scope, summary }) => {
      const row = text.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
      return !row?.includes(`| ${scope} | ${summary}`);
    });

    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test("have params and results under a name of their kind", () => {
    const odd = messages.flatMap((message) =>
      problemsOf(message).map((problem) => `${message.name}: ${problem}`),
    );

    expect(odd).toEqual([]);
  });

  test("have a param check if clients call them, and no other has one", () => {
    const called = messages.filter(({ kind }) => kind === "method").map(({ name }) => name);

    expect(Object.keys(methods).sort()).toEqual(called.sort());
  });

  test("name a thread if that is their scope", () => {
    const scoped = messages.filter(({ kind, scope }) => kind === "method" && scope === "thread");

    const without = scoped.filter(({ params }) => !/threadId|conversationId/.test(fields(params)));

    expect(without.map(({ name }) => name)).toEqual([]);
  });
});

test("methods of v2 that require a thread are of scope `thread`", () => {
  const requiring = declarations.v2.filter(
    ({ kind, params }) => kind === "method" && required(params).includes("threadId"),
  );

  expect(requiring.filter(({ scope }) => scope !== "thread").map(({ name }) => name)).toEqual([]);
});

test("experimental messages are marked in the docs", async () => {
  const marked = declarations.v2.filter(({ experimental }) => experimental).map(({ name }) => name);
  const text = await readFile("docs/app-server.md", "utf8");

  const rows = text.split("\n").filter((line) => line.endsWith("Experimental. |"));

  expect(rows.map((row) => row.split("`")[1])).toEqual(marked.sort());
  expect(marked.length).toBeGreaterThan(0);
});

function problemsOf({ kind, params, result }: Declaration): string[] {
  const name = idOf(params);
  const answer = result === undefined ? undefined : idOf(result);
  if (kind === "notification") {
    return [
      ...(name.endsWith("Notification") ? [] : [`params are ${name}`]),
      ...(answer === undefined ? [] : ["a notification has no result"]),
    ];
  }
  return [
    ...(name.endsWith("Params") ? [] : [`params are ${name}`]),
    ...(answer !== undefined && /(Response|Page)$/.test(answer) ? [] : [`result is ${answer}`]),
  ];
}

function idOf(schema: object): string {
  return String((schema as { $id?: string }).$id);
}

function fields(schema: object): string {
  return Object.keys((schema as { properties?: object }).properties ?? {}).join();
}

function required(schema: object): readonly string[] {
  return (schema as { required?: string[] }).required ?? [];
}
