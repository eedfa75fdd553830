import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Skipped } from "../../interop/check.js";
import { openPackageCache } from "../../interop/package-cache.js";
import {
  type ConformanceProject,
  hasTraces,
  installConformance,
} from "../support/conformance-package.js";

/** Groups that each version of the reference was recorded with; a level of each is enough here. */
const cases = [
  ["0.42.0", ["--filter", "proto/*", "--level", "approvals"], 9],
  ["0.104.0", ["--filter", "app-server/*", "--level", "approvals", "--level", "handshake"], 23],
  ["0.166.0", ["--filter", "app-server-166/*", "--level", "handshake", "--level", "resume"], 5],
] as const;

describe.runIf(hasTraces)("quire-conformance on the reference", () => {
  let project: ConformanceProject;
  const packages = openPackageCache(process.env, {
    note: () => {},
    signal: AbortSignal.timeout(110_000),
  });
  beforeAll(async () => {
    project = await installConformance();
  }, 120_000);
  afterAll(() => project?.[Symbol.asyncDispose]());

  test.for(cases)("%s agrees with its recordings", async ([version, filter, total], { skip }) => {
    const program = await packages.program("@openai/codex", version).catch((error: unknown) => {
      if (!(error instanceof Skipped)) throw error;
      const remedy = "run it once with a network, or set XDG_CACHE_HOME to a cache that has it";
      console.warn(`NOT TESTED: ${error.message}; ${remedy}`);
      return skip(error.message);
    });

    const { code, stdout } = await project.run(
      ...["--bin", program.join(" "), "--era", version, ...filter, "--json"],
    );

    const failed = JSON.parse(stdout).results.filter(
      ({ status }: { status: string }) => status === "failed",
    );
    expect(failed).toEqual([]);
    expect({ code, total: JSON.parse(stdout).results.length }).toEqual({ code: 0, total });
  });
});
