import { expect, test } from "vitest";
import { startTestCodex, text } from "../../support/codex.js";
import { calls, hangs, says } from "../../support/model.js";

const input = (words: string, last_response_id?: string) => ({
  type: "user_input" as const,
  items: text(words),
  ...(last_response_id === undefined ? {} : { last_response_id }),
});

test("[documents D12] an interrupt with nothing running is answered under its own id", async () => {
  await using codex = await startTestCodex({ model: [says("One.")] });

  const first = codex.submit({ type: "interrupt" });
  const before = await codex.until("turn_aborted");
  await codex.turn(input("go"));
  const second = codex.submit({ type: "interrupt" });
  const after = await codex.until("turn_aborted");

  expect(before).toMatchObject({ id: first, msg: { reason: "interrupted" } });
  expect(before.msg).not.toHaveProperty("response_id");
  expect(after).toMatchObject({ id: second, msg: { response_id: "resp_0" } });
});

test.each(["0.39", "0.104", "0.166"] as const)(
  "[documents D12] era %s is silent on an interrupt with nothing running",
  async (era) => {
    await using codex = await startTestCodex({ era });

    const id = codex.submit({ type: "interrupt" });
    codex.submit({ type: "get_path" });
    await codex.until("conversation_path");

    expect(codex.events.filter((event) => event.id === id)).toEqual([]);
  },
);

test("[documents D12] interrupting the first command of a task gives the response to continue from", async () => {
  await using codex = await startTestCodex({
    model: [says("Before."), calls("shell", { command: ["sleep", "60"] }), says("Went on.")],
  });
  await codex.turn(input("before"));

  const id = codex.submit(input("sleep"));
  await codex.until("exec_command_begin");
  await codex.until("token_count");
  codex.submit({ type: "interrupt" });
  const { msg } = await codex.until("turn_aborted");
  await codex.turn(input("continue", msg.response_id));

  expect(codex.events.find((event) => event.msg.type === "turn_aborted")?.id).toBe(id);
  expect(msg).toMatchObject({ reason: "interrupted", response_id: "resp_1" });
  const items = codex.prompts[2]?.input.slice(-3);
  expect(items).toMatchObject([
    { type: "function_call" },
    { type: "function_call_output", output: "aborted" },
    { type: "message" },
  ]);
});

test("[documents D12] interrupting a first answer gives the last response of the session", async () => {
  await using codex = await startTestCodex({ model: [says("Before."), hangs(says("half"))] });
  await codex.turn(input("before"));

  codex.submit(input("go"));
  await codex.until("agent_message_delta");
  await codex.until("agent_message_delta");
  codex.submit({ type: "interrupt" });
  const { msg } = await codex.until("turn_aborted");

  expect(msg.response_id).toBe("resp_0");
});
