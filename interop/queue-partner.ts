import type { Line, LineProgram } from "./line-program.js";
import type { WritingPartner } from "./partner.js";
import type { Scene } from "./scene.js";

/** Options for starting a program that speaks the queues. */
export interface QueueStart {
  command: string[];
  env?: Record<string, string>;
  /** The first submission, where the session is not there from the start. */
  configure?: Line;
}

/** Speaks with a program over the submission and event queues. */
export async function startQueuePartner(scene: Scene, start: QueueStart): Promise<WritingPartner> {
  const program = scene.start(start.command, start.env);
  return program.disposeUnless(() => open(program, start.configure));
}

async function open(program: LineProgram, configure: Line | undefined): Promise<WritingPartner> {
  const queues = new Queues(program);
  if (configure !== undefined) queues.submit(configure);
  const configured = await queues.event("session_configured");
  return {
    recorded: { id: String(configured.session_id), path: String(configured.rollout_path) },
    recalled: toRecalled(configured.initial_messages),
    async say(text) {
      await queues.event("task_complete", queues.submit(userInput(text)));
    },
    async compact() {
      await queues.event("task_complete", queues.submit({ type: "compact" }));
    },
    async interrupt(text) {
      const id = queues.submit(userInput(text));
      await queues.event("agent_message_delta", id);
      queues.submit({ type: "interrupt" });
      await queues.event("turn_aborted", id);
    },
    async leave() {
      queues.submit({ type: "shutdown" });
      await queues.event("shutdown_complete");
      await program.finish();
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** The two queues of a running program. */
export class Queues {
  readonly #program: LineProgram;
  #submitted = 0;

  constructor(program: LineProgram) {
    this.#program = program;
  }

  /** Sends an op and returns the id of its submission. */
  submit(op: Line): string {
    const id = `interop-${this.#submitted++}`;
    this.#program.send({ id, op });
    return id;
  }

  /** Waits for an event, of one submission where it is named. */
  event(type: string, id?: string): Promise<Line> {
    return this.firstOf([type], id);
  }

  /** Waits for the first event of these types; an error that comes first is thrown. */
  async firstOf(types: readonly string[], id?: string): Promise<Line> {
    const fits = (line: Line) => {
      const type = String(msgOf(line).type);
      return type === "error" || (types.includes(type) && (id === undefined || line.id === id));
    };
    const msg = msgOf(await this.#program.until(types.join(" or "), fits));
    if (msg.type === "error") throw new Error(`${this.#program.name} reported: ${msg.message}`);
    return msg;
  }
}

/** The op that submits a user message. */
export function userInput(text: string): Line {
  return { type: "user_input", items: [{ type: "text", text }] };
}

function msgOf(line: Line): Line {
  return (line.msg ?? {}) as Line;
}

function toRecalled(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  return (messages as Line[]).flatMap(({ type, message }) => {
    if (type === "user_message") return [`user: ${message}`];
    return type === "agent_message" ? [`agent: ${message}`] : [];
  });
}
