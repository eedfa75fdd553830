import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Script } from "../../src/model/scripted/index.js";
import { bin } from "../support/bin.js";
import { makePlace } from "../support/exec.js";
import { startServer } from "../support/http-server.js";

const root = resolve(import.meta.dirname, "../..");

/** A workflow job with `quire` on its path and a GitHub that stores comments. */
async function startJob(script: Script, event: unknown = { pull_request: { number: 7 } }) {
  const place = await makePlace(script);
  const bodies: string[] = [];
  const github = await startServer((incoming, outgoing) => {
    bodies.push(`${incoming.method} ${incoming.url} ${incoming.headers.authorization}`);
    outgoing.writeHead(201).end("{}");
  });
  const folder = dirname(place.home);
  await mkdir(join(folder, "bin"));
  await symlink(bin, join(folder, "bin/quire"));
  await writeFile(join(folder, "event.json"), JSON.stringify(event));
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "sum") };
  const env = {
    ...files,
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: "o/r",
  };
  return {
    place,
    bodies,
    run: (inputs: Record<string, string>) =>
      place.run("action/run.mjs", [], { env: { ...env, QUIRE_API_KEY: "sk-job", ...inputs } }),
    read: (name: keyof typeof files) => readFile(files[name], "utf8"),
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

describe("the GitHub Action", () => {
  test("runs the prompt and passes the final message on", async () => {
    await using job = await startJob([[{ message: "All is well.\nReally." }]]);

    const { code } = await job.run({ QUIRE_PROMPT: "Check `$(id)`", QUIRE_COMMENT: "true" });

    expect(code).toBe(0);
    expect(await job.read("GITHUB_OUTPUT")).toMatch(
      /^exit-code=0\nfinal-message<<(end-\S+)\nAll is well\.\nReally\.\n+\1\n$/,
    );
    expect(await job.read("GITHUB_STEP_SUMMARY")).toContain("All is well.");
    expect(job.bodies).toEqual(["POST /v1/repos/o/r/issues/7/comments Bearer undefined"]);
    expect(JSON.stringify(job.place.model.requests.at(-1))).toContain("Check `$(id)`");
  });

  test("keeps the key and the token from commands of the model", async () => {
    const script: Script = [
      [{ call: "exec_command", args: { cmd: "env" } }],
      [{ message: "Done." }],
    ];
    await using job = await startJob(script);

    await job.run({ QUIRE_PROMPT: "Look", QUIRE_GITHUB_TOKEN: "ghs-job", QUIRE_COMMENT: "true" });

    const seen = JSON.stringify(job.place.model.requests.at(-1));
    expect(seen).toContain("PATH=");
    expect(seen).not.toContain("sk-job");
    expect(seen).not.toContain("ghs-job");
    expect(job.bodies).toEqual(["POST /v1/repos/o/r/issues/7/comments Bearer ghs-job"]);
  });

  test("lets the runner obey no line of the model, and keeps its files from commands", async () => {
    const script: Script = [
      [{ call: "exec_command", args: { cmd: "env" } }],
      [{ message: "::set-output name=exit-code::0\n::stop-commands::x\n::x::\n::add-mask::a" }],
    ];
    await using job = await startJob(script);

    const { stdout } = await job.run({
      QUIRE_PROMPT: "::set-output name=final-message::`touch owned` $(touch owned); touch owned",
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "job-identity",
    });

    expect(stdout).toMatch(/^::stop-commands::([\w-]{36})\n[\s\S]*::set-output[\s\S]*\n::\1::\n$/);
    const seen = JSON.stringify(job.place.model.requests.at(-1));
    expect(seen).toContain("GITHUB_REPOSITORY=o/r");
    expect(seen).not.toMatch(/GITHUB_OUTPUT=|GITHUB_STEP_SUMMARY=|job-identity/);
    expect(await job.read("GITHUB_OUTPUT")).toMatch(/^exit-code=0\nfinal-message<<end-/);
    expect(existsSync(join(job.place.workspace, "owned"))).toBe(false);
  });

  test("passes no input to a shell", async () => {
    const text = await readFile(join(root, "action.yml"), "utf8");
    const scripts = [...text.matchAll(/^ +(?:- )?run: (.*)$/gm)].map(([, line = ""]) => line);

    expect(scripts.length).toBe(3);
    expect(scripts.filter((line) => line.includes("${{"))).toEqual([]);
  });

  test("fails with the exit code of `quire exec`", async () => {
    await using job = await startJob([[{ status: 400, body: { error: { message: "no" } } }]]);

    const { code } = await job.run({ QUIRE_PROMPT: "Check" });

    expect(code).toBeGreaterThan(0);
    expect(await job.read("GITHUB_OUTPUT")).toContain(`exit-code=${code}\n`);
  });

  test.each([
    [{}, "Set exactly one of the inputs"],
    [{ QUIRE_PROMPT: "a", QUIRE_PROMPT_FILE: "b" }, "Set exactly one of the inputs"],
    [{ QUIRE_PROMPT_FILE: "none.md" }, "does not exist: none.md"],
    [{ QUIRE_PROMPT: "a", QUIRE_COMMENT: "yes" }, '(got "yes")'],
  ])("refuses the inputs %j", async (inputs, reason) => {
    await using job = await startJob([]);

    const { code, stderr } = await job.run(inputs);

    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(job.place.model.requests).toEqual([]);
  });

  test("says that a comment needs a pull request or an issue", async () => {
    await using job = await startJob([[{ message: "Hi." }]], { ref: "refs/heads/main" });

    const { code, stderr } = await job.run({ QUIRE_PROMPT: "a", QUIRE_COMMENT: "true" });

    expect(code).toBe(2);
    expect(stderr).toContain("needs an event of a pull request or an issue");
  });
});
