import type { Line, LineProgram } from "./line-program.js";
import type { Recorded, WritingPartner } from "./partner.js";
import type { Scene } from "./scene.js";

/** Origin of a server's conversation: a new one, a recorded one, or a copy of that. */
export type Opening =
  | { method: "thread/start" }
  | { method: "thread/resume" | "thread/fork"; recorded: Recorded };

/** Speaks with a program that is an app-server of the second version. */
export async function startAppServerPartner(
  scene: Scene,
  command: string[],
  opening: Opening,
): Promise<WritingPartner> {
  const program = scene.start(command);
  return program.disposeUnless(() => open(program, opening));
}

async function open(program: LineProgram, opening: Opening): Promise<WritingPartner> {
  const client = new Client(program);
  await client.request("initialize", { clientInfo: { name: "interop", version: "1.0.0" } });
  program.send({ method: "initialized" });
  const from = opening.method === "thread/start" ? {} : { threadId: opening.recorded.id };
  const opened = await client.request(opening.method, from);
  const { id: threadId, path, turns } = opened.thread as Thread;
  const startTurn = async (text: string) => {
    const params = { threadId, input: [{ type: "text", text }] };
    return ((await client.request("turn/start", params)).turn as Line).id;
  };
  return {
    recorded: { id: threadId, path },
    recalled: turns.flatMap(({ items }) => items.flatMap(toRecalled)),
    async say(text) {
      await startTurn(text);
      await client.notice("turn/completed");
    },
    async compact() {
      await client.request("thread/compact/start", { threadId });
      await client.notice("turn/completed");
    },
    async interrupt(text) {
      const turnId = await startTurn(text);
      await client.notice("item/agentMessage/delta");
      await client.request("turn/interrupt", { threadId, turnId });
      await client.notice("turn/completed");
    },
    async leave() {
      await program.finish();
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

class Client {
  readonly #program: LineProgram;
  #asked = 0;

  constructor(program: LineProgram) {
    this.#program = program;
  }

  async request(method: string, params: Line): Promise<Line> {
    const id = this.#asked++;
    this.#program.send({ id, method, params });
    const isAnswer = (line: Line) => line.id === id && line.method === undefined;
    const answer = await this.#program.until(`the answer to ${method}`, isAnswer);
    if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result as Line;
  }

  notice(method: string): Promise<Line> {
    return this.#program.until(method, (line) => line.method === method);
  }
}

interface Thread {
  id: string;
  path: string;
  turns: { items: Line[] }[];
}

function toRecalled(item: Line): string[] {
  if (item.type === "agentMessage") return [`agent: ${item.text}`];
  if (item.type !== "userMessage") return [];
  return [`user: ${(item.content as Line[]).map(({ text }) => text).join("")}`];
}
