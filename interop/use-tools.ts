import type { CheckContext } from "./check.js";
import { expectIn, expectSame } from "./expect.js";
import type { Line } from "./line-program.js";
import { Queues, userInput } from "./queue-partner.js";
import { openScene, type Places, type Scene, type ScenePlan } from "./scene.js";
import { quireProto } from "./sides.js";

/** A call of the model, and the output it must receive. */
export interface ToolCall {
  tool: string;
  args: (places: Places) => Line;
  gets: string[];
}

/** A server as config.toml names it, and the requests to it. */
export interface ToolUse {
  /** Its name in the config. */
  server: string;
  /** Its table in the config, without the head. */
  table: (places: Places) => string;
  calls: ToolCall[];
  /** Answers of the user to the server's elicitation. */
  fillsIn?: Line;
}

/**
 * A session of ours starts the server, lists its tools and has the model call some of them.
 *
 * The check looks at the model's side: the tools it is offered, and their outputs.
 */
export async function useTools(use: ToolUse, context: CheckContext): Promise<string> {
  await using scene = await openScene((places) => toPlan(use, places), context);
  await using program = scene.start(quireProto());
  const queues = new Queues(program);
  await queues.event("session_configured");
  queues.submit({ type: "list_mcp_tools" });
  const { tools } = await queues.event("mcp_list_tools_response");
  const listed = Object.keys(tools as Line);
  context.note(`${use.server} has ${listed.join(", ")}`);
  expectIn("the list of tools", listed.join(" "), ...use.calls.map((call) => nameOf(use, call)));

  await takeTurn(queues, use.fillsIn);
  queues.submit({ type: "shutdown" });
  await queues.event("shutdown_complete");
  await program.finish();

  checkRequests(use, scene, context);
  const called = [...new Set(use.calls.map(({ tool }) => tool))].join(", ");
  return `the model was offered ${listed.length} tools and got what ${called} gave`;
}

async function takeTurn(queues: Queues, content: Line | undefined): Promise<void> {
  queues.submit(userInput("Use the tools."));
  for (;;) {
    const event = await queues.firstOf(["task_complete", "elicitation_request"]);
    if (event.type === "task_complete") return;
    const { server_name, id } = event;
    const answer =
      content === undefined ? { decision: "decline" } : { decision: "accept", content };
    queues.submit({ type: "resolve_elicitation", server_name, request_id: id, ...answer });
  }
}

/** The model makes one call in each answer, and sends a message in the last. */
function toPlan(use: ToolUse, places: Places): ScenePlan {
  const calls = use.calls.map((call, at) => [
    { call: nameOf(use, call), args: call.args(places), call_id: `call_${at}` },
  ]);
  return {
    model: "gpt-5-codex",
    script: [...calls, [{ message: "Used." }]],
    config: `[mcp_servers.${use.server}]\n${use.table(places)}\n`,
  };
}

function nameOf({ server }: ToolUse, { tool }: ToolCall): string {
  return `mcp__${server}__${tool}`;
}

function checkRequests(use: ToolUse, scene: Scene, { note }: CheckContext): void {
  const requests = scene.asked() as { tools: Line[]; input: Line[] }[];
  expectSame("the number of requests", [`${requests.length}`], [`${use.calls.length + 1}`]);
  const offered = JSON.stringify(requests[0]?.tools);
  for (const [at, call] of use.calls.entries()) {
    expectIn("what the model is offered", offered, nameOf(use, call));
    const output = requests[at + 1]?.input.find(
      ({ type, call_id }) => type === "function_call_output" && call_id === `call_${at}`,
    );
    const text = JSON.stringify(output?.output ?? null);
    note(`${call.tool} gave ${text.slice(0, 300)}`);
    expectIn(`what ${call.tool} gave the model`, text, ...call.gets);
  }
}
