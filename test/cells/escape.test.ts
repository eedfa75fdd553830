import { expect, test } from "vitest";
import { testCells, textsOf } from "./support.js";

const { run } = testCells();

/**
 * Ways to objects of the realm around the script. `vm` is no boundary: a script may get there, and
 * must find nothing.
 */
const ways = {
  "the constructor of a function": 'text.constructor("return this")()',
  "the constructor of a promise of import()":
    'import("x").catch(() => {}).constructor.constructor("return this")()',
  "the constructor of an error": `(() => { try { null.x } catch (e) { return e.constructor.constructor("return this")() } })()`,
  "a stack overflow in a function of ours":
    '(() => { let e; const f = () => { try { f(); } catch (x) { try { text("") } catch (y) { e ??= y } throw x } }; try { f() } catch {} return (e ?? Error).constructor.constructor("return this")() })()',
  "a getter on a poisoned prototype":
    '(() => { let caller; Object.defineProperty(Object.prototype, "then", { configurable: true, get() { caller ??= this; return undefined } }); Promise.resolve({}); delete Object.prototype.then; return caller?.constructor.constructor("return this")() ?? globalThis })()',
};

/** Looks around from such an object; everything of Node that it finds is used. */
const lookAround = `
  const { process } = found;
  const seen = { node: typeof process };
  if (process !== undefined) {
    const load = process.getBuiltinModule ?? process.mainModule?.require ?? found.require;
    const attempt = (run) => { try { return run() } catch (e) { return e.code ?? e.name } };
    seen.env = Object.keys(process.env).filter((name) => name !== "PWD");
    if (load !== undefined) {
      const fs = load("fs");
      seen.files = ["/etc/passwd", "/root", "/home", "/tmp", "/usr/bin/env", "/bin/sh"].map((path) => attempt(() => fs.statSync(path) && path));
      seen.written = ["/x", "/usr/bin/x", "/etc/x"].map((path) => attempt(() => fs.writeFileSync(path, "") ?? path));
      seen.processes = attempt(() => fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).length < 4);
      seen.child = attempt(() => load("child_process").spawnSync(process.execPath, ["-v"]).error.code);
      seen.socket = await new Promise((resolve) => {
        load("net").connect(80, "127.0.0.1").on("error", (e) => resolve(e.code)).on("connect", () => resolve("connected"));
      });
    }
  }
  text(JSON.stringify(seen));`;

test.each(Object.entries(ways))("%s reaches nothing of the host", async (_, way) => {
  const report = await run(`const found = ${way};\n${lookAround}`);

  const seen = JSON.parse(textsOf(report)[0] ?? "{}");
  expect(report.error).toBeUndefined();
  if (seen.node === "undefined") return;
  expect(seen.env).toEqual([]);
  if (seen.files === undefined) return;
  expect(seen.files).toEqual(["ENOENT", "ENOENT", "ENOENT", "ENOENT", "ENOENT", "ENOENT"]);
  expect(seen.written).not.toContain("/x");
  expect(seen).toMatchObject({ processes: true, child: "EPERM" });
  expect(seen.socket).not.toBe("connected");
});

test("a script that gets hold of Node finds no file, process, variable or socket", async () => {
  const way = 'import("x").catch(() => {}).constructor.constructor("return this")()';

  const report = await run(`const found = ${way};\n${lookAround}`);

  // If this realm can no longer be left, the test above is what counts.
  const seen = JSON.parse(textsOf(report)[0] ?? "{}");
  expect([seen.node === "undefined", seen.child === "EPERM"]).toContain(true);
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

test("a script that breaks its own promises ends at its limit", async () => {
  const own = testCells({ seconds: 1 });

  const report = await own.run("Promise.prototype.then = () => {}; await tools.echo({})");

  expect(report.error).toMatch("without waiting for a tool");
});

test("a script that ends its process takes no other thread down for long", async () => {
  const found = 'import("x").catch(() => {}).constructor.constructor("return this")()';

  await run(
    `const { process } = ${found}; process?.kill(process.pid, "SIGKILL"); await new Promise((r) => setTimeout(r, 500));`,
  );

  expect(textsOf(await run("text(1)"))).toEqual(["1"]);
});
