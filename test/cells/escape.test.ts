import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { testCells, textsOf } from "./support.js";

const { run, runAsHost } = testCells();

/**
 * Ways to objects of the realm around the script. Each passes what it has found to `reach`; the second part
 * is the kinds of values that it finds, so that a way which finds nothing is noticed.
 */
const ways: Record<string, [script: string, found: string[]]> = {
  "the constructor of a function": ["reach(text); reach(tools.echo)", ["function", "function"]],
  "the result of a tool": ["reach(await tools.echo({ a: [1] }))", ["object"]],
  "the promise of import()": ['reach(import("x").catch(() => {}))', ["object"]],
  "an error of the realm": ["try { null.x } catch (e) { reach(e) }", ["object"]],
  "a stack overflow in a function of the host": [
    `const caught = [];
    const f = () => { try { f() } catch (x) { try { text("y") } catch (y) { caught.push(y) } throw x } };
    try { f() } catch {}
    const isForeign = (e) => e.constructor.constructor("return typeof process")() !== "undefined";
    reach(caught.find(isForeign) ?? new Error())`,
    ["object"],
  ],
  "a message without a form": [
    `Object.prototype.toJSON = () => undefined;
    try { text("x") } catch (e) { reach(e) }
    delete Object.prototype.toJSON;
    reach(text)`,
    ["function"],
  ],
  "the arguments of a call": [
    `Array.prototype[Symbol.iterator] = function* () { yield { get length() { throw 1 } } };
    try { text("x"); setTimeout(() => {}, 1) } catch (e) { reach(e) }
    reach(text)`,
    ["function"],
  ],
  "an error that describes itself": [
    `let reads = 0;
    reach(text);
    setTimeout(() => {
      throw { get stack() {
        return ++reads === 1 ? "x" : { split: () => ({ findIndex(f) { reach(f); return -1 } }) };
      } };
    }, 1);
    await new Promise((resolve) => setTimeout(resolve, 60_000))`,
    ["function"],
  ],
  "the functions that settle a promise": [
    `try { Promise.prototype.then = (resolve) => reach(resolve) } catch (e) { reach(e) }`,
    ["object"],
  ],
  "the constructor of all promises": [
    `try { Object.defineProperty(Promise.prototype, "constructor", { get() { reach(this) } }) } catch (e) { reach(e) }`,
    ["object"],
  ],
  "the list of the calls of a trace": [
    `try { Error.prepareStackTrace = (_, calls) => reach(calls) } catch (e) { reach(e) }
    try { null.x } catch (e) { reach(e.stack) }`,
    ["object", "string"],
  ],
  "a getter on a poisoned prototype": [
    `Object.defineProperty(Object.prototype, "then", { configurable: true, get() { reach(this) } });
    await Promise.resolve({});
    delete Object.prototype.then`,
    ["object"],
  ],
};

/** Passes on the kind of a value, and whether its constructors lead to Node. */
const reach = `function reach(value) {
  const node = value == null ? "" : value.constructor.constructor("return typeof process")();
  text(JSON.stringify([typeof value, node]));
}
`;

/** Looks around with everything of Node. */
const lookAround = `
  const { process } = found;
  const seen = { node: typeof process };
  if (process !== undefined) {
    const load = process.getBuiltinModule ?? process.mainModule?.require ?? found.require;
    const attempt = (run) => { try { return run() } catch (e) { return e.code ?? e.name } };
    seen.env = Object.keys(process.env).filter((name) => name !== "PWD");
    const fs = load("fs");
    seen.files = ["/etc/passwd", "/root", "/home", "/tmp", "/usr/bin/env", "/bin/sh"].map((path) => attempt(() => fs.statSync(path) && path));
    seen.written = ["/x", "/usr/bin/x", "/etc/x"].map((path) => attempt(() => fs.writeFileSync(path, "") ?? path));
    seen.processes = attempt(() => fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).length < 4);
    seen.child = attempt(() => load("child_process").spawnSync(process.execPath, ["-v"]).error.code);
    seen.socket = await new Promise((resolve) => {
      load("net").connect(PORT, "127.0.0.1").on("error", (e) => resolve(e.code)).on("connect", () => resolve("connected"));
    });
  }`;

test.each(Object.entries(ways))("%s does not lead to Node", async (_, [script, found]) => {
  const report = await run(reach + script);

  const reached = textsOf(report).filter((text) => text.startsWith("["));
  expect(reached.map((text) => JSON.parse(text))).toEqual(found.map((kind) => [kind, "undefined"]));
});

test("a script that got hold of Node would find no file, process, variable or socket", async () => {
  // The ways above are closed, so the script takes the place of the program that runs cells.
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const script = `(async () => { const found = globalThis; ${lookAround}
    process.stdout.write(JSON.stringify(seen)); process.exit(); })()`;

  const seen = JSON.parse(await runAsHost(script.replace("PORT", String(port))));
  listener.close();

  expect(seen).toEqual({
    node: "object",
    env: [],
    files: ["ENOENT", "ENOENT", "ENOENT", "ENOENT", "ENOENT", "ENOENT"],
    written: [
      expect.stringMatching(/^E/),
      expect.stringMatching(/^E/),
      expect.stringMatching(/^E/),
    ],
    processes: true,
    child: "EPERM",
    socket: expect.stringMatching(/^E/),
  });
});

test("there is nothing to work with", async () => {
  const names = [
    "process require module console fetch WebAssembly Atomics SharedArrayBuffer setInterval",
    "setImmediate queueMicrotask structuredClone URL TextEncoder performance crypto Worker Deno",
  ].flatMap((line) => line.split(" "));

  const report = await run(names.map((name) => `text(typeof ${name})`).join(";"));

  expect(new Set(textsOf(report))).toEqual(new Set(["undefined"]));
});

test("poisoned prototypes harm only their own script", async () => {
  await run(`
    Object.prototype.polluted = 1;
    Array.prototype.push = () => { throw 1 };
    JSON.parse = () => ({});
    text("done");`);

  const report = await run('text({}.polluted); text(await tools.echo({ "__proto__": { x: 1 } }))');

  expect(textsOf(report)[0]).toBe("undefined");
  expect(report.state).toBe("completed");
});

test("a script that breaks its own maps ends at its limit", async () => {
  const own = testCells({ seconds: 1 });

  const report = await own.run("Map.prototype.get = () => {}; await tools.echo({})");

  expect(report.error).toMatch("without waiting for a tool");
});

test("the end of the process of the scripts ends these, and the next one runs", async () => {
  const own = testCells();
  const { state } = await own.run('text("started"); yield_control(); await new Promise(() => {})');
  const id = typeof state === "object" ? state.running : 0;
  const waiting = own.wait(id);

  own.killHosts();

  expect(await waiting).toMatchObject({
    state: "failed",
    error: expect.stringMatching(/has ended|killed/),
  });
  expect(textsOf(await own.run("text(1)"))).toEqual(["1"]);
});
