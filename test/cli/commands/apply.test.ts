import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signIn } from "../../support/sign-in.js";
import { createUser, type TestUser } from "../support/run-quire.js";

const diff = `diff --git a/greet.txt b/greet.txt
--- a/greet.txt
+++ b/greet.txt
@@ -1 +1 @@
-hello
+goodbye
`;

/** A server with one cloud task and the given response. */
async function startCloud(user: TestUser, tasks: Record<string, unknown>) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = tasks[(request.url ?? "").replace("/wham/tasks/", "")];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(user.home, "config.toml"), `chatgpt_base_url = "${url}/"\n`);
  return {
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function repository(user: TestUser, text = "hello\n"): string {
  const file = join(user.project, "greet.txt");
  writeFileSync(file, text);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: user.project,
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  return file;
}

function task(text: string): object {
  const pr = (inner: string) => ({ type: "pr", output_diff: { diff: inner } });
  const items = [{ type: "message", content: [] }, pr("an older one"), pr(text)];
  return { current_diff_task_turn: { output_items: items } };
}

describe("quire apply", () => {
  test("applies the diff of a task with the login of the user", async () => {
    using user = createUser();
    const file = repository(user);
    signIn(user);
    await using cloud = await startCloud(user, { task_1: task(diff) });

    const ran = await user.run(["apply", "task_1"]);

    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toContain("Successfully applied diff");
    expect(readFileSync(file, "utf8")).toBe("goodbye\n");
    expect(cloud.requests[0]?.headers).toMatchObject({
      authorization: "Bearer access",
      "chatgpt-account-id": "account-1",
    });
  });

  test("leaves everything as it is when the diff does not fit or leads outside", async () => {
    using user = createUser();
    const file = repository(user, "something else\n");
    signIn(user);
    const outside = diff.replaceAll("greet.txt", "../../outside.txt");
    await using _cloud = await startCloud(user, { task_1: task(diff), task_2: task(outside) });

    expect(await user.run(["a", "task_1"])).toMatchObject({ code: 1 });
    expect(await user.run(["apply", "task_2"])).toMatchObject({ code: 1 });
    expect(readFileSync(file, "utf8")).toBe("something else\n");
  });

  test.each([
    [["apply"], 2, "Missing task id"],
    [["apply", "nope"], 1, "No task nope found"],
    [["apply", "empty"], 1, "Task empty has no diff to apply"],
  ])("%j is refused", async (args, code, words) => {
    using user = createUser();
    repository(user);
    signIn(user);
    await using _cloud = await startCloud(user, { empty: {} });

    const ran = await user.run(args);

    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(words);
  });

  test("without a ChatGPT login names the alternatives", async () => {
    using user = createUser();

    const ran = await user.run(["apply", "task_1"]);

    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("quire apply-patch");
  });
});
