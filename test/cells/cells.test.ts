import { expect, test } from "vitest";
import { testCells, textsOf } from "./support.js";

const shared = testCells();

test.each<[title: string, source: string, texts: string[]]>([
  ["a text", 'text("a"); text("")', ["a"]],
  [
    "other values as JSON",
    "text({ a: [1, undefined] }); text(5n); text(); text(null)",
    ['{"a":[1,null]}', "5", "undefined", "null"],
  ],
  ["the result of a tool", 'text((await tools.echo({ a: "b" })).a)', ["b"]],
  [
    "the string that a failed call throws",
    "try { await tools.fail() } catch (e) { text(e) }",
    ["it failed"],
  ],
  [
    "calls in parallel",
    "text(await Promise.all([1, 2].map((n) => tools.echo({ n }))))",
    ['[{"n":1},{"n":2}]'],
  ],
  [
    "a mistake in arguments",
    'await tools.echo("x").catch(text); await tools.patch({}).catch(text)',
    ["tool `echo` expects a JSON object for arguments", "tool `patch` expects a string input"],
  ],
  ["nothing after exit", 'text(1); try { exit() } finally { text("finally") }', ["1"]],
  [
    "settled promises in their order",
    `
    const later = new Promise((resolve) => setTimeout(resolve, 20, "b"));
    for await (const one of as_settled([later, Promise.reject("a")])) text(one);
    await stream_settled(new Map([["k", 1]]), text);`,
    [
      '{"index":1,"status":"rejected","reason":"a"}',
      '{"index":0,"status":"fulfilled","value":"b"}',
      '{"index":"k","status":"fulfilled","value":1}',
    ],
  ],
  [
    "no timer that was cleared",
    "clearTimeout(setTimeout(text, 1, 2)); await new Promise((r) => setTimeout(r, 20));",
    [],
  ],
  [
    "pictures, and a text in place of a broken one",
    `
    image("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==");
    image("data:image/png;base64,AAAA");`,
    ["input_image", "image content omitted because it could not be processed"],
  ],
])("a script returns %s", async (_, source, texts) => {
  const report = await shared.run(source);

  expect([report.state, report.error, textsOf(report)]).toEqual(["completed", undefined, texts]);
});

test.each<[source: string, error: string]>([
  ['text(1); throw new Error("boom")', "Error: boom\n    at exec_main.mjs:1:16"],
  ["const = 5", "SyntaxError: Unexpected token '='"],
  ["throw { a: 1 }", "[object Object]"],
  ["throw Object.create(null)", "the script threw something that has no text"],
  ['import fs from "fs"', "Unsupported import in exec: fs"],
  ['await import("fs")', "unsupported import in exec"],
  ["setTimeout(() => { throw 7 }, 1); await new Promise(() => {})", "7"],
  [
    "store('f', () => 1)",
    "failed to serialize JavaScript value: expected value at line 1 column 1",
  ],
  ["tools.nope()", "TypeError: tools.nope is not a function\n    at exec_main.mjs:1:7"],
  [
    'image("http://127.0.0.1/x.png")',
    "Tool call failed: remote image URLs are not supported in tool outputs. Pass a base64 data URI instead",
  ],
])("%s fails with its error", async (source, error) => {
  const report = await shared.run(source);

  expect([report.state, report.error]).toEqual(["failed", error]);
});

test("values are stored for later scripts, variables are not", async () => {
  await shared.run('globalThis.kept = 1; store("k", { n: 42 })');

  const report = await shared.run('text(load("k").n); text(typeof kept); text(load("no"))');

  expect(textsOf(report)).toEqual(["42", "undefined", "undefined"]);
});

test("values that are too large together are refused, whichever script stores them", async () => {
  const own = testCells({ mostStored: 1000 });
  const half = 'store(NAME, "x".repeat(600))';
  await own.run(half.replace("NAME", '"one"'));

  const report = await own.run(half.replace("NAME", '"two"'));

  expect(report.error).toBe(
    'Unable to store "two". All stored values together have at most 1000 characters as JSON.',
  );
  expect(textsOf(await own.run('text(load("one").length); text(load("two"))'))).toEqual([
    "600",
    "undefined",
  ]);
});

test("a call that is not awaited does not run if the script ends at once", async () => {
  shared.called.length = 0;

  await shared.run('tools.echo({ n: "dropped" }); text(1)');
  await shared.run("await tools.echo({ n: 2 })");

  expect(shared.called).toEqual(['echo {"n":2}']);
});

test("a script that yields continues, and its output is returned once", async () => {
  const first = await shared.run('text("a"); yield_control(); await tools.echo({}); text("b")');
  const id = typeof first.state === "object" ? first.state.running : 0;
  const second = await shared.wait(id);

  expect([textsOf(first), second?.state, textsOf(second)]).toEqual([["a"], "completed", ["b"]]);
  expect(await shared.wait(id)).toBeUndefined();
});

test("two waits for the same script both end, and one of them has its output", async () => {
  const script = 'yield_control(); await tools.echo({}); text("b")';
  const { state } = await shared.run(script);
  const id = typeof state === "object" ? state.running : 0;

  const reports = await Promise.all([shared.wait(id), shared.wait(id)]);

  expect(reports.map((report) => report?.state)).toEqual(["completed", "completed"]);
  expect(reports.flatMap(textsOf)).toEqual(["b"]);
});

test("a script has 64 calls at the same time, the others wait; they are dropped with it", async () => {
  const own = testCells();
  const script = `
    for (let n = 0; n < 70; n++) void tools.hold({ n });
    yield_control(); await new Promise(() => {})`;
  const { state } = await own.run(script);
  await expect.poll(() => own.called.length).toBe(64);

  own.release();
  await expect.poll(() => own.called.length).toBe(65);
  own.cells.terminate(typeof state === "object" ? state.running : 0);
  own.releaseAll();
  await own.run("await tools.echo({})");

  expect(own.called.slice(64)).toEqual(['hold {"n":64}', "echo {}"]);
});

test("an endless loop is ended by the model, and the next script runs", async () => {
  const { state } = await shared.run("while (true) {}", 10);
  const id = typeof state === "object" ? state.running : 0;

  expect(shared.cells.terminate(id)).toMatchObject({ state: "terminated", parts: [] });
  expect(shared.cells.terminate(id)).toBeUndefined();
  expect(textsOf(await shared.run("text(1)"))).toEqual(["1"]);
});

test("several scripts run at the same time", async () => {
  const waits = "await new Promise((resolve) => setTimeout(resolve, 50)); text(1)";

  const reports = await Promise.all([shared.run(waits), shared.run(waits), shared.run("text(2)")]);

  expect(reports.map(textsOf)).toEqual([["1"], ["1"], ["2"]]);
});

test.each<[title: string, source: string, error: RegExp]>([
  ["loops", "while (true) {}", /it ran for 1 s without waiting for a tool/],
  ["never settles", "await new Promise(() => {})", /it ran for 1 s without waiting for a tool/],
  ["allocates objects", "const a = []; for (;;) a.push(new Array(1e5).fill(a))", /more than 32 MB/],
  [
    "allocates buffers",
    "const a = []; for (;;) a.push(new Uint8Array(1e8))",
    /allocation failed|process that runs cells has ended|its thread has stopped/,
  ],
  ["writes without end", 'for (;;) text("x".repeat(1e6))', /more than 20000000 characters/],
  ["notifies without end", 'for (;;) notify("x".repeat(1000))', /notified with more than 40000 /],
  ["notifies of nothing without end", 'for (;;) notify("")', /notified with more than 40000 /],
  ["calls itself", "function f() { f() } f()", /Maximum call stack size exceeded/],
])("a script that %s ends at its limit, and the next one runs", async (_, source, error) => {
  const { run } = testCells({
    seconds: /without waiting/.test(error.source) ? 1 : 30,
    memoryMb: 32,
  });

  const report = await run(source);

  expect(report.state).toBe("failed");
  expect(report.error).toMatch(error);
  expect(textsOf(await run("text(1)"))).toEqual(["1"]);
});

test("an abort ends the script", async () => {
  const { run, abort } = testCells();
  const running = run("await new Promise(() => {})");
  setTimeout(abort, 300);

  await expect(running).rejects.toThrow("aborted");
});
