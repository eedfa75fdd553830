import { expect, test } from "vitest";
import { calls, hangs, says } from "../support/model.js";
import { startProgram } from "../support/program.js";

interface Event001 {
  id: string;
  msg: { type: string; response_id?: string; last_agent_message?: string | null };
}

/** A client of document 001 reads `turn_*` and `task_*` as the same. */
const is = (id: string, name: string) => (event: Event001) =>
  event.id === id && event.msg.type.replace(/^task_/, "turn_") === name;

test("a client written from document 001 configures the session, forks from a bookmark and continues after an interrupt", async () => {
  await using program = await startProgram({
    args: ["proto", "--no-session"],
    model: [
      calls("update_plan", { plan: [{ step: "one", status: "completed" }] }),
      says("First answer."),
      says("Second answer."),
      says("Forked answer."),
      calls("update_plan", { plan: [] }),
      hangs(says("half a")),
      says("Went on."),
    ],
  });
  const turn = (id: string, text: string, last_response_id?: string) =>
    program.send({
      id,
      op: { type: "user_turn", items: [{ type: "text", text }], last_response_id },
    });

  program.send({ id: "conf", op: { type: "configure_session" } });
  await program.until(is("conf", "session_configured"));
  turn("t1", "two turns please");
  const first = await program.until(is("t1", "turn_complete"));
  turn("t2", "and on");
  await program.until(is("t2", "turn_complete"));
  turn("t3", "from the first answer", first.msg.response_id);
  const forked = await program.until(is("t3", "turn_complete"));
  turn("t4", "work");
  await program.until(is("t4", "agent_message_delta"));
  program.send({ id: "stop", op: { type: "interrupt" } });
  const aborted = await program.until(is("t4", "turn_aborted"));
  turn("t5", "go on", aborted.msg.response_id);
  const resumed = await program.until(is("t5", "turn_complete"));
  program.child.stdin.end();

  expect(forked.msg.last_agent_message).toBe("Forked answer.");
  expect(texts(program.model.requests[3]?.body)).toEqual([
    "two turns please",
    "First answer.",
    "from the first answer",
  ]);
  expect(resumed.msg.last_agent_message).toBe("Went on.");
  expect((await program.exit).code).toBe(0);
});

test("reconfiguring a session ends the running task", async () => {
  await using program = await startProgram({
    args: ["proto", "--no-session"],
    model: [hangs(says("forever"))],
  });

  program.send({ id: "c1", op: { type: "configure_session", model: "gpt-5" } });
  await program.until(is("c1", "session_configured"));
  program.send({ id: "t1", op: { type: "user_turn", items: [{ type: "text", text: "go" }] } });
  await program.until(is("t1", "agent_message_delta"));
  program.send({ id: "c2", op: { type: "configure_session", model: "o3" } });
  const aborted = await program.until(is("t1", "turn_aborted"));
  const again = await program.until(is("c2", "session_configured"));

  expect(aborted.msg).toMatchObject({ reason: "replaced" });
  expect(again.msg).toMatchObject({ model: "o3" });
});

function texts(body: unknown): string[] {
  const { input } = body as { input: { type: string; content?: { text: string }[] }[] };
  return input
    .flatMap((item) => (item.type === "message" ? [item.content?.[0]?.text ?? ""] : []))
    .filter((text) => !text.startsWith("<environment_context>"));
}
