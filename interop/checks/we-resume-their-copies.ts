import type { Check, CheckContext } from "../check.js";
import { answered, prompts } from "../conversation.js";
import type { CopyingWriter } from "../partner.js";
import { type ReferenceVersion, references } from "../reference-versions.js";
import { takeUp } from "../resume-across.js";
import { openScene } from "../scene.js";
import { codexAppServer, quire } from "../sides.js";

/** A copy may contain only its new lines, and name the file with its start. */
export const weResumeTheirCopies: readonly Check[] = [
  copying(codexAppServer("0.104.0"), "0.104.0"),
  copying(codexAppServer("0.166.0"), "0.166.0"),
];

function copying(writer: CopyingWriter, version: ReferenceVersion): Check {
  return {
    name: `resume-their-copy-${version}`,
    short: false,
    run: (context) => resumeCopy(writer, references[version], context),
  };
}

async function resumeCopy(
  writer: CopyingWriter,
  model: string,
  context: CheckContext,
): Promise<string> {
  const answers = [answered.greet, answered.count, answered.again, answered.later];
  const script = answers.map((message) => [{ message }]);
  await using scene = await openScene(() => ({ script, model }), context);
  await using original = await writer.start(scene, context);
  await original.say(prompts.greet);
  await original.leave();
  await using copy = await writer.copy(scene, original.recorded, context);
  await copy.say(prompts.count);
  await copy.leave();

  const { recorded } = copy;
  const talk = [
    prompts.greet,
    answered.greet,
    prompts.count,
    answered.count,
    prompts.again,
    answered.again,
  ];
  const ours = {
    prompt: prompts.again,
    modelInput: asModelInput(talk.slice(0, 5)),
    recalled: asTalk(talk.slice(0, 4)),
  };
  await takeUp(quire("current"), ours, { scene, recorded, context });
  const theirs = {
    prompt: prompts.later,
    modelInput: asModelInput([...talk, prompts.later]),
    recalled: asTalk(talk),
  };
  await takeUp(writer, theirs, { scene, recorded, context });

  return `${quire("current").name} went on with a copy that ${writer.name} made, and back`;
}

/** The user and the model speak in turn. */
function asModelInput(talk: readonly string[]): string[] {
  return talk.map((text, at) => `${at % 2 === 0 ? "user" : "assistant"}: ${text}`);
}

function asTalk(talk: readonly string[]): string[] {
  return talk.map((text, at) => `${at % 2 === 0 ? "user" : "agent"}: ${text}`);
}
