import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { createUser } from "../support/run-quire.js";

const tsc = resolve(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");

describe("quire app-server", () => {
  test("generate-ts writes types that a strict compiler takes, and that fit", async () => {
    using user = createUser();

    const ran = await user.run(["app-server", "generate-ts", "--out", "types"]);
    writeFileSync(
      join(user.project, "client.ts"),
      `import type { ClientRequest, ServerNotification, v2 } from "./types";
export const ask: ClientRequest = { id: 1, method: "thread/start", params: { cwd: "/w" } };
// @ts-expect-error There is no such method.
export const wrong: ClientRequest = { id: 1, method: "thread/stop", params: {} };
export function hear(message: ServerNotification): v2.Turn | undefined {
  return message.method === "turn/completed" ? message.params.turn : undefined;
}
`,
    );
    const flags = ["--strict", "--noEmit", "--module", "esnext", "--moduleResolution", "bundler"];
    const typeErrors = () =>
      execFileSync(process.execPath, [tsc, ...flags, "--types", "", "client.ts"], {
        cwd: user.project,
        encoding: "utf8",
      });

    expect(ran.code).toBe(0);
    expect(typeErrors()).toBe("");
  });

  test("generate-json-schema writes shapes that stand alone", async () => {
    using user = createUser();

    const ran = await user.run(["app-server", "generate-json-schema", "--out", "deep/schemas"]);
    const folder = join(user.project, "deep/schemas");
    const read = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));
    const isValid = (path: string, value: unknown) =>
      new Ajv({ strict: false }).compile(read(path))(value);

    expect(ran.code).toBe(0);
    expect(readdirSync(join(folder, "v2")).length).toBeGreaterThan(100);
    expect(isValid("v2/ThreadStartParams.json", { cwd: "/w", sandbox: "read-only" })).toBe(true);
    expect(isValid("v2/ThreadStartParams.json", { sandbox: "everything" })).toBe(false);
    expect(isValid("ClientRequest.json", { id: 1, method: "thread/start", params: {} })).toBe(true);
    expect(isValid("ClientRequest.json", { id: 1, method: "thread/stop", params: {} })).toBe(false);
    expect(isValid("ClientNotification.json", { method: "initialized" })).toBe(true);
    const all = read("codex_app_server_protocol.v2.schemas.json");
    expect(Object.keys(all.definitions)).toContain("ThreadStartParams");
  });

  test("generating needs to be told where to", async () => {
    using user = createUser();

    expect(await user.run(["app-server", "generate-ts"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "quire: Say where to: --out DIR\n",
    });
  });
});
