import { expect, test } from "vitest";
import { calls, says } from "../support/model.js";
import { type Program, startProgram } from "../support/program.js";

interface Message {
  id?: number;
  method?: string;
  params?: { [field: string]: unknown; msg?: { type: string; [field: string]: unknown } };
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A client of the JSON-RPC part of document 003. */
function client(program: Program) {
  let count = 0;
  return {
    async call(method: string, params: object = {}): Promise<Record<string, unknown>> {
      const id = ++count;
      program.send({ jsonrpc: "2.0", id, method, params });
      const answer = await program.until<Message>(
        (line) => line.id === id && line.method === undefined,
      );
      if (answer.result === undefined) throw new Error(JSON.stringify(answer.error));
      return answer.result;
    },
    event: (type: string) => program.until<Message>(({ params }) => params?.msg?.type === type),
    request: (method: string) => program.until<Message>((line) => line.method === method),
  };
}

test.each(["mcp-server", "app-server"])(
  "[documents 003] the example sequence works as printed on %s",
  async (surface) => {
    await using program = await startProgram({
      args: [surface],
      model: [calls("shell", { command: ["touch", "made"] }), says("Done.")],
    });
    const { call, event, request } = client(program);

    const begun = await call("newConversation", { model: "mock-model" });
    const conversationId = begun.conversationId as string;
    await call("addConversationListener", { conversationId });
    await call("sendUserTurn", {
      conversationId,
      items: [{ type: "text", text: "make a file" }],
      cwd: program.workspace,
      approvalPolicy: "untrusted",
      sandboxPolicy: { mode: "workspace-write" },
      model: "mock-model",
      summary: "auto",
    });
    const asked = await request("execCommandApproval");
    program.send({ jsonrpc: "2.0", id: asked.id, result: { decision: "approved" } });
    const ended = await event("task_complete");
    const interrupted = await call("interruptConversation", { conversationId });
    const { rolloutPath } = begun;
    const archived = await call("archiveConversation", { conversationId, rolloutPath });

    expect(asked.params).toMatchObject({ command: ["touch", "made"] });
    expect(ended.params?.msg?.last_agent_message).toBe("Done.");
    expect(interrupted).toEqual({ abortReason: "interrupted" });
    expect(archived).toEqual({});
  },
);

test("[documents 003] every op of the document is answered in the default start mode", async () => {
  const finding = { findings: [], overall_correctness: "patch is correct" };
  await using program = await startProgram({
    args: ["proto"],
    model: [
      says("Hello."),
      says("A summary."),
      says(JSON.stringify({ ...finding, overall_explanation: "", overall_confidence_score: 1 })),
    ],
  });
  const answered = async (id: string, op: object, type: string) => {
    program.send({ id, op });
    const { msg } = await program.until<{ id: string; msg: { type: string } }>(
      (event) => event.id === id && event.msg.type === type,
    );
    return msg;
  };

  const idle = await answered("i", { type: "interrupt" }, "turn_aborted");
  program.send({
    id: "o",
    op: {
      type: "override_turn_context",
      cwd: program.workspace,
      approval_policy: "never",
      sandbox_policy: { mode: "read-only" },
      model: "mock-model",
      effort: null,
      summary: "concise",
    },
  });
  const items = [{ type: "text", text: "hi" }];
  await answered("u", { type: "user_input", items }, "task_complete");
  program.send({ id: "h", op: { type: "add_to_history", text: "Note" } });
  const entry = { type: "get_history_entry_request", offset: 0, log_id: 123456 };
  await answered("e", entry, "get_history_entry_response");
  await answered("p", { type: "get_path" }, "conversation_path");
  await answered("m", { type: "list_mcp_tools" }, "mcp_list_tools_response");
  await answered("c", { type: "list_custom_prompts" }, "list_custom_prompts_response");
  await answered("s", { type: "compact" }, "task_complete");
  const review_request = { prompt: "Review the changes...", user_facing_hint: "Performance" };
  await answered("r", { type: "review", review_request }, "exited_review_mode");
  await answered("bye", { type: "shutdown" }, "shutdown_complete");

  expect(idle).toMatchObject({ reason: "interrupted" });
});
