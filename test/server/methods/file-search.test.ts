import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FuzzyFileSearchResponse } from "../../../src/protocol/rpc/v2/file-search.js";
import { initialize, startAppServer } from "../../support/app-server.js";
import type { TestServer } from "../../support/server.js";

async function writeFiles({ workspace }: TestServer): Promise<void> {
  await mkdir(join(workspace, "src"));
  await writeFile(join(workspace, "src", "FooBar.ts"), "");
  await writeFile(join(workspace, "foo"), "");
}

test("files and folders are found by partial names", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  await writeFiles(server);
  const roots = [server.workspace];
  const find = (query: string) => client.call("fuzzyFileSearch", { query, roots });

  expect(await find("fobts")).toEqual({
    files: [
      {
        root: server.workspace,
        path: "src/FooBar.ts",
        match_type: "file",
        file_name: "FooBar.ts",
        score: expect.any(Number),
        indices: [4, 5, 7, 11, 12],
      },
    ],
  });
  expect(await find("^src$")).toMatchObject({ files: [{ match_type: "directory", path: "src" }] });
  expect(await find("")).toEqual({ files: [] });
  expect(await client.call("fuzzyFileSearch", { query: "a", roots: [] })).toEqual({ files: [] });
});

test("concurrent searches in different folders are independent", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  await writeFiles(server);
  const find = (folder: string) =>
    client.call("fuzzyFileSearch", { query: "foo", roots: [join(server.workspace, folder)] });

  const answers = (await Promise.all([
    find("."),
    find("src"),
    find("."),
  ])) as FuzzyFileSearchResponse[];

  expect(answers.map(({ files }) => files.map(({ path }) => path))).toEqual([
    ["foo", "src/FooBar.ts"],
    ["FooBar.ts"],
    ["foo", "src/FooBar.ts"],
  ]);
});

test("for an older client, a search is case-sensitive and finds only files", async () => {
  await using server = await startAppServer({ era: "0.104" });
  const client = server.connect();
  await initialize(client);
  await writeFiles(server);

  const { files } = (await client.call("fuzzyFileSearch", {
    query: "Foo",
    roots: ["."],
    cancellationToken: "t",
  })) as FuzzyFileSearchResponse;

  expect(files.map(({ path }) => path)).toEqual(["src/FooBar.ts"]);
  expect(files[0]).not.toHaveProperty("match_type");
});

test("a session reports matches for the current query until it is stopped", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  await writeFiles(server);
  const sessionId = "s1";
  await client.call("fuzzyFileSearch/sessionStart", { sessionId, roots: [server.workspace] });

  await client.call("fuzzyFileSearch/sessionUpdate", { sessionId, query: "foo" });
  await client.until("fuzzyFileSearch/sessionCompleted");
  const told = client.heard.findLast(({ method }) => method === "fuzzyFileSearch/sessionUpdated");
  await client.call("fuzzyFileSearch/sessionUpdate", { sessionId, query: "zzz" });
  await client.until("fuzzyFileSearch/sessionCompleted");

  expect(told?.params).toMatchObject({
    sessionId,
    query: "foo",
    files: [{ path: "foo" }, { path: "src/FooBar.ts" }],
  });
  expect(client.heard.at(-2)?.params).toEqual({ sessionId, query: "zzz", files: [] });
  expect(await client.call("fuzzyFileSearch/sessionStop", { sessionId })).toEqual({});
  await expect(
    client.call("fuzzyFileSearch/sessionUpdate", { sessionId, query: "foo" }),
  ).rejects.toMatchObject({ code: -32600, message: "fuzzy file search session not found: s1" });
});

test("sessions need an id, and their number is limited", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const start = (sessionId: string) =>
    client.call("fuzzyFileSearch/sessionStart", { sessionId, roots: [server.workspace] });

  await expect(start("")).rejects.toThrow("sessionId must not be empty");
  for (let count = 0; count < 8; count++) await start(`s${count}`);
  await start("s0");
  await expect(start("more")).rejects.toThrow("There are 8 file searches already");
});

test("[security H12] a search of the whole file system returns what was found in time", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const began = performance.now();

  const { files } = (await client.call("fuzzyFileSearch", {
    query: "e",
    roots: ["/"],
  })) as FuzzyFileSearchResponse;

  expect(files.length).toBeGreaterThan(0);
  expect(performance.now() - began).toBeLessThan(15_000);
});
