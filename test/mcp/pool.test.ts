import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import type { McpServers } from "../../src/mcp/index.js";
import { startTestServers, stdioServer, testPool, textOf } from "../support/mcp.js";
import { untilGone } from "../support/processes.js";

test("sessions share servers of equal config, which end with the last session", async () => {
  const pool = testPool();
  const config = await stdioServer("good");
  const other = await stdioServer("good", {}, { env: { OTHER: "1" } });
  const first = await startTestServers({ t: config }, { pool });
  const second = await startTestServers({ t: { ...config, disabled_tools: ["die"] } }, { pool });
  const third = await startTestServers({ t: other }, { pool });
  const [one, two, three] = await Promise.all(
    [first, second, third].map(({ servers }) => pidOf(servers)),
  );

  await first.servers.close();
  const still = await pidOf(second.servers);
  await second.servers.close();
  await third.servers.close();

  expect([two, still]).toEqual([one, one]);
  expect(three).not.toBe(one);
  await untilGone([one, three].map(Number));
});

test("a session that was closed cannot use its servers any more", async () => {
  const pool = testPool();
  const config = await stdioServer("good");
  await using other = await startTestServers({ t: config }, { pool });
  const started = await startTestServers({ t: config }, { pool });

  await started.servers.close();

  expect(await started.servers.call({ server: "t", tool: "pid" })).toContain(
    "the server was closed",
  );
  expect(started.servers.tools()).toEqual([]);
  expect(await pidOf(other.servers)).toMatch(/^\d+$/);
});

test("with a grace, a server waits for the next session", async () => {
  const pool = testPool({ idleMs: 60_000 });
  const config = await stdioServer("good");
  const first = await startTestServers({ t: config }, { pool });
  const before = await pidOf(first.servers);

  await first.servers.close();
  const second = await startTestServers({ t: config }, { pool });
  const after = await pidOf(second.servers);
  await pool.close();

  expect(after).toBe(before);
  await untilGone([Number(before)]);
});

test("a failure is not shared with the sessions that come later", async () => {
  const pool = testPool();
  const failing = await startTestServers({ t: await stdioServer("exits") }, { pool });
  await failing.servers.close();

  await using later = await startTestServers({ t: await stdioServer("exits") }, { pool });

  expect((await later.servers.started).failed).toEqual((await failing.servers.started).failed);
});

test("a question goes to the session that called last", async () => {
  const pool = testPool();
  const config = await stdioServer("good");
  const answerAs = (name: string) => async () => ({ action: "accept" as const, content: { name } });
  await using one = await startTestServers(
    { t: config },
    { pool, answerElicitation: answerAs("one") },
  );
  await using two = await startTestServers(
    { t: config },
    { pool, answerElicitation: answerAs("two") },
  );

  const answers = [
    await one.servers.call({ server: "t", tool: "ask" }),
    await two.servers.call({ server: "t", tool: "ask" }),
  ];

  expect(answers.map((answer) => JSON.parse(textOf(answer)).content.name)).toEqual(["one", "two"]);
});

test("a server that does not go when asked to is killed", async () => {
  const started = await startTestServers({ t: await stdioServer("stubborn") });
  const pid = await pidOf(started.servers);

  await started.servers.close();

  await untilGone([Number(pid)]);
});

test("servers are gone with our process, though it ends without a word", async () => {
  const config = await stdioServer("stubborn");
  const contents = `
    import { startTestServers, textOf } from "./mcp.js";
    startTestServers({ t: ${JSON.stringify(config)} }).then(async ({ servers }) => {
      console.log(textOf(await servers.call({ server: "t", tool: "pid" })));
      process.exit(0);
    });`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve(import.meta.dirname, "../support") },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    external: ["esbuild"],
    logLevel: "silent",
  });
  const cwd = resolve(import.meta.dirname, "../..");

  const pid = execFileSync(process.execPath, ["-"], { cwd, input: outputFiles[0]?.text ?? "" });

  await untilGone([Number(pid)]);
});

async function pidOf(servers: McpServers): Promise<string> {
  return textOf(await servers.call({ server: "t", tool: "pid" }));
}
