import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";

async function pathOf(codex: TestCodex): Promise<string> {
  codex.submit({ type: "get_path" });
  return (await codex.until("conversation_path")).msg.path;
}

async function resume(codex: TestCodex, resume_path: string) {
  codex.submit({ type: "configure_session", resume_path }, "resume");
  return (await codex.until("session_configured")).msg;
}

function texts(codex: TestCodex, request: number): string[] {
  return (codex.prompts[request]?.input ?? []).flatMap((item) =>
    item.type === "message" ? item.content.map((part) => ("text" in part ? part.text : "")) : [],
  );
}

test("a recorded conversation resumes where it ended, under its own id", async () => {
  await using codex = await startTestCodex({ model: [says("One."), says("Two.")] });
  await codex.turn({ type: "user_input", items: text("first") });
  const path = await pathOf(codex);
  const id = codex.events[0]?.thread_id;

  const configured = await resume(codex, path);
  await codex.turn({ type: "user_input", items: text("second") });

  expect(configured).toMatchObject({ session_id: id, rollout_path: path });
  expect(configured.initial_messages?.map(({ type }) => type)).toContain("agent_message");
  expect(texts(codex, 1).slice(1)).toEqual(["first", "One.", "second"]);
});

test("a conversation that resumes in another folder informs the model once, before the message", async () => {
  const model = [says("One."), says("Two."), says("Three.")];
  await using codex = await startTestCodex({ model });
  await codex.turn({ type: "user_input", items: text("first") });
  const path = await pathOf(codex);
  const written = await readFile(path, "utf8");
  const cwd = join(codex.home, "elsewhere");
  await mkdir(cwd);

  codex.submit({ type: "configure_session", resume_path: path, cwd }, "resume");
  await codex.until("session_configured");
  const opened = await readFile(path, "utf8");
  await codex.turn({ type: "user_input", items: text("second") });
  await codex.turn({ type: "user_input", items: text("third") });

  const elsewhere = expect.stringContaining(`<cwd>${cwd}</cwd>`);
  expect(opened).toBe(written);
  expect(texts(codex, 1).slice(1)).toEqual(["first", "One.", elsewhere, "second"]);
  expect(texts(codex, 2).slice(3, 5)).toEqual([elsewhere, "second"]);
  expect(texts(codex, 2).at(-1)).toBe("third");
  expect(texts(codex, 2)).toHaveLength(7);
});

test("bookmarks of an earlier session still lead back", async () => {
  await using codex = await startTestCodex({ model: [says("One."), says("Two."), says("Other.")] });
  const first = await codex.turn({ type: "user_input", items: text("1") });
  await codex.turn({ type: "user_input", items: text("2") });
  const bookmark = (first.at(-1) as { response_id: string }).response_id;

  await resume(codex, await pathOf(codex));
  await codex.turn({ type: "user_turn", items: text("2b"), last_response_id: bookmark });

  expect(texts(codex, 2).slice(1)).toEqual(["1", "One.", "2b"]);
});

test("a torn last line is warned of and costs nothing else", async () => {
  await using codex = await startTestCodex({ model: [says("One."), says("Two.")] });
  await codex.turn({ type: "user_input", items: text("first") });
  const path = await pathOf(codex);
  await appendFile(path, '{"timestamp":"2026-01-01T00:00:00.000Z","type":"respon');

  await resume(codex, path);
  const { msg } = await codex.until("warning");
  await codex.turn({ type: "user_input", items: text("second") });

  expect(msg.message).toContain(path);
  expect(texts(codex, 1).slice(1)).toEqual(["first", "One.", "second"]);
});

test("a rollout that cannot be read is an error, and the session stays as it was", async () => {
  await using codex = await startTestCodex({ model: [says("Still here.")] });

  codex.submit({ type: "configure_session", resume_path: "/nowhere/rollout.jsonl" }, "bad");
  const { id } = await codex.until("error");
  const events = await codex.turn({ type: "user_input", items: text("go") });

  expect(id).toBe("bad");
  expect(events.at(-1)).toMatchObject({ last_agent_message: "Still here." });
});

test("a conversation of which nothing was kept begins with where it works", async () => {
  await using codex = await startTestCodex({ model: [says("One.")] });
  const path = join(codex.home, "copy.jsonl");
  const timestamp = "2026-01-01T00:00:00.000Z";
  const origin = { originator: "test", cli_version: "0.1.0", instructions: null };
  const payload = { id: randomUUID(), timestamp, cwd: codex.workspace, ...origin };
  await writeFile(path, `${JSON.stringify({ timestamp, type: "session_meta", payload })}\n`);

  await resume(codex, path);
  await codex.turn({ type: "user_input", items: text("first") });

  expect(texts(codex, 0)).toEqual([expect.stringMatching(/^<environment_context>/), "first"]);
});
