import { expect, test } from "vitest";
import { calls, hangs, says } from "../support/model.js";
import { type Program, startProgram } from "../support/program.js";

/** A client that follows document 003 only: its message formats and flows. */
class Client003 {
  #program: Program;
  #count = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  submit(op: object): string {
    const id = `turn-${++this.#count}`;
    this.#program.send({ id, op });
    return id;
  }

  /** Reads events until one of these types arrives for the id. */
  async until(id: string, ...types: string[]): Promise<Msg> {
    const event = await this.#program.until<Event003>(
      (line) => line.id === id && types.includes(line.msg.type),
    );
    return event.msg;
  }

  of(id: string): Msg[] {
    return (this.#program.lines as Event003[])
      .filter((event) => event.id === id)
      .map(({ msg }) => msg);
  }
}

interface Event003 {
  id: string;
  msg: Msg;
}

type Msg = { type: string; [field: string]: unknown };

const userTurn = (program: Program, text: string) => ({
  type: "user_turn",
  items: [{ type: "text", text }],
  cwd: program.workspace,
  approval_policy: "on-request",
  sandbox_policy: { mode: "workspace-write", network_access: false },
  model: "mock-model",
  effort: "medium",
  summary: "auto",
});

test("a client written from document 003 completes tasks, interrupts and shuts down", async () => {
  await using program = await startProgram({
    args: ["proto"],
    model: [
      calls("update_plan", { plan: [{ step: "one", status: "in_progress" }] }),
      says("First done."),
      says("Second done."),
      hangs(says("never ends")),
    ],
  });
  const client = new Client003(program);
  const configured = await client.until("", "session_configured");

  const first = client.submit(userTurn(program, "do it"));
  const firstEnd = await client.until(first, "task_complete");
  const second = client.submit({ type: "user_input", items: [{ type: "text", text: "and more" }] });
  const secondEnd = await client.until(second, "task_complete");
  const third = client.submit(userTurn(program, "wait"));
  await client.until(third, "agent_message_delta");
  client.submit({ type: "interrupt" });
  const aborted = await client.until(third, "turn_aborted");
  const path = client.submit({ type: "get_path" });
  const conversation = await client.until(path, "conversation_path");
  const bye = client.submit({ type: "shutdown" });
  await client.until(bye, "shutdown_complete");
  program.child.stdin.end();

  expect(configured).toMatchObject({ session_id: expect.any(String), model: "mock-model" });
  expect(client.of(first)).toContainEqual({
    type: "user_message",
    message: "do it",
    kind: "plain",
  });
  expect(client.of(first).map(({ type }) => type)).toContain("plan_update");
  expect(firstEnd.last_agent_message).toBe("First done.");
  expect(secondEnd.last_agent_message).toBe("Second done.");
  expect(aborted.reason).toBe("interrupted");
  expect(conversation).toMatchObject({
    conversation_id: configured.session_id,
    path: configured.rollout_path,
  });
  expect((await program.exit).code).toBe(0);
});
