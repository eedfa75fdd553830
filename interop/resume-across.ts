import type { CheckContext } from "./check.js";
import {
  answered,
  conversationScript,
  holdConversation,
  keptOf,
  prompts,
  recalled,
} from "./conversation.js";
import { expectSame } from "./expect.js";
import { outline } from "./outline.js";
import type { Reader, Recorded, Writer } from "./partner.js";
import { openScene, type Scene } from "./scene.js";

/** The writer, the reader, and a model that both support. */
export interface Crossing {
  writer: Writer;
  reader: Reader;
  model: string;
}

/**
 * One program records a conversation, another resumes it, and the first resumes the result.
 *
 * The complete model requests are compared each time.
 */
export async function resumeAcross(
  { writer, reader, model }: Crossing,
  context: CheckContext,
): Promise<string> {
  const later = [[{ message: answered.again }], [{ message: answered.later }]];
  const script = [...conversationScript(writer), ...later];
  await using scene = await openScene(() => ({ script, model }), context);
  const recorded = await record(writer, scene, context);
  const modelInput = [...keptOf(writer), `user: ${prompts.again}`];
  const laterInput = [...modelInput, `assistant: ${answered.again}`, `user: ${prompts.later}`];
  const again = [`user: ${prompts.again}`, `agent: ${answered.again}`];

  await takeUp(
    reader,
    { prompt: prompts.again, modelInput, recalled },
    { scene, recorded, context },
  );
  const back = { prompt: prompts.later, modelInput: laterInput, recalled: [...recalled, ...again] };
  await takeUp(writer, back, { scene, recorded, context });

  const items = `${modelInput.length} and ${laterInput.length} items`;
  return `${reader.name} went on with what ${writer.name} wrote, and back: ${items} as expected`;
}

async function record(writer: Writer, scene: Scene, context: CheckContext): Promise<Recorded> {
  await using partner = await writer.start(scene, context);
  await holdConversation(partner);
  context.note(`${writer.name} wrote ${partner.recorded.path}`);
  return partner.recorded;
}

/** Messages of a resumed conversation, and the facts that must survive. */
export interface Expected {
  prompt: string;
  modelInput: string[];
  recalled: readonly string[];
}

/** Home and folder of a resumed conversation. */
export interface Place {
  scene: Scene;
  recorded: Recorded;
  context: CheckContext;
}

/** Resumes a recorded conversation for one turn; throws if part of it is missing. */
export async function takeUp(
  reader: Reader,
  expected: Expected,
  { scene, recorded, context }: Place,
): Promise<void> {
  const before = scene.asked().length;
  await using partner = await reader.resume(scene, recorded, context);
  if (partner.recalled !== undefined) {
    const talk = partner.recalled.filter((line) => line !== "agent: Compact task completed");
    expectSame(`what ${reader.name} tells its client`, talk, expected.recalled);
  }
  await partner.say(expected.prompt);
  await partner.leave();
  const modelInput = outline(scene.asked()[before]);
  expectSame(`the model input of ${reader.name}`, modelInput, expected.modelInput);
  context.note(
    `model input of ${reader.name}:${modelInput.map((line) => `\n      ${line}`).join("")}`,
  );
}
