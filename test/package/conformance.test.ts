import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quireCommand } from "../support/bin.js";
import {
  type ConformanceProject,
  hasTraces,
  installConformance,
} from "../support/conformance-package.js";

const root = resolve(import.meta.dirname, "../..");
const quire = quireCommand([]).flat().join(" ");
const some = ["--era", "0.104", "--filter", "app-server/thread-fork"];

describe.runIf(hasTraces)("the installed package quire-conformance", () => {
  let project: ConformanceProject;
  beforeAll(async () => {
    project = await installConformance();
  }, 120_000);
  afterAll(() => project?.[Symbol.asyncDispose]());

  test("passes on a program that conforms, and writes each report", async () => {
    const { code, stdout } = await project.run(
      ...["--bin", quire, ...some, "--filter", "app-server/thread-resume", "--level", "resume"],
      ...["--json", "r.json", "--junit", "r.xml", "--html", "r.html"],
    );

    const read = (name: string) => readFile(join(project.folder, name), "utf8");
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
      code: 0,
      last: expect.stringMatching(/^PASSED in /),
    });
    expect(JSON.parse(await read("r.json"))).toMatchObject({
      format: 1,
      passed: true,
      levels: { resume: { passed: 2, total: 2, failed: 0 } },
    });
    expect(await read("r.xml")).toContain(
      '<testsuite name="resume" tests="2" failures="0" errors="0" skipped="0"',
    );
    expect(await read("r.html")).toContain("<td>app-server/thread-resume</td>");
  });

  test("fails on a program that differs, and names the differences", async () => {
    const server = 'process.stdin.on(\'data\', () => console.log(\'{"id":0,"result":"<b>&"}\'))';
    await writeFile(join(project.folder, "server.cjs"), server);

    const { code, stdout, stderr } = await project.run(
      ...["--bin", `${process.execPath} server.cjs`, "--filter", "app-server/initialize"],
      ...["--timeout", "300", "--retries", "0", "--junit"],
    );

    expect(code).toBe(1);
    expect(stderr).toContain("FAILED: 1 of 1 traces differ");
    expect(stdout).toContain('failures="1"');
    expect(stdout).toContain("&#60;b&#62;&#38;");
  });

  test("fails if nothing ran", async () => {
    const { code, stdout } = await project.run("--bin", quire, "--filter", "no/such");

    expect(code).toBe(1);
    expect(stdout).toContain("FAILED: no trace has such a name");
  });

  test("has a manifest with format, license and the level of each trace", async () => {
    const text = await readFile(join(project.package, "dist/traces/manifest.json"), "utf8");
    const { format, license, traces } = JSON.parse(text);
    const levelOf = (id: string) => traces.find((one: { id: string }) => one.id === id).level;

    expect({ format, license }).toEqual({ format: 1, license: "Apache-2.0" });
    expect(levelOf("app-server/initialize")).toBe("handshake");
    expect(levelOf("mcp/errors")).toBe("handshake");
    expect(levelOf("proto/message")).toBe("turns");
    expect(levelOf("proto/exec-approval-denied")).toBe("approvals");
    expect(levelOf("mcp/exec-approval-approved")).toBe("approvals");
    expect(levelOf("app-server/thread-fork")).toBe("resume");
    expect(levelOf("app-server/thread-list")).toBe("history");
  });

  test("refuses traces of a format that it cannot read", async () => {
    const folder = join(project.folder, "later");
    await mkdir(folder);
    await writeFile(join(folder, "manifest.json"), '{ "format": 2, "traces": [] }');

    const { code, stderr } = await project.run("--bin", quire, "--traces", folder);

    expect(code).toBe(2);
    expect(stderr).toContain("Expected `format` to be 1 (got 2)");
  });

  test.each([
    [[], "`--bin` is required"],
    [["--bin", "x", "--level", "all"], "Expected `--level` to be one of handshake, turns, "],
    [["--bin", "x", "--era", "new"], 'Expected `--era` to be a version such as 0.104 (got "new")'],
    [
      ["--bin", "x", "--json", "--html"],
      "`--json` and `--html` cannot both use the standard output",
    ],
    [["--bin", "x", "--traces", "/no/where"], "Cannot read the traces in /no/where"],
    [["--bin", "x", "--jobs", "0"], '--jobs needs a whole number from 1 on, not "0"'],
  ])("explains the options %j", async (args, message) => {
    const { code, stderr } = await project.run(...args);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

test("the build names the folder of traces that is missing", async () => {
  const build = promisify(execFile)(process.execPath, [
    join(root, "scripts/build-conformance.mjs"),
    ...["--shared", "/no/where"],
  ]);

  await expect(build).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is no /no/where/traces and no /no/where/traces-166"),
  });
});
