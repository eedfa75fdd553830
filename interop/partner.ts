import type { Step } from "../src/model/scripted/index.js";
import type { CheckContext } from "./check.js";
import type { Scene } from "./scene.js";

/** A file in which a conversation was recorded. */
export interface Recorded {
  id: string;
  path: string;
}

/** A program that has taken up a conversation, whatever it speaks. Dispose it. */
export interface Partner extends AsyncDisposable {
  /** What it told its client of the conversation so far; absent where it tells nothing. */
  recalled: string[] | undefined;
  /** One turn, to its end. */
  say(text: string): Promise<void>;
  /** Lets it come to its end by itself, so that all is written. */
  leave(): Promise<void>;
}

/** A program that can also be asked for what only happens on the way. */
export interface WritingPartner extends Partner {
  recorded: Recorded;
  compact(): Promise<void>;
  /** A turn that is interrupted when the answer has begun. */
  interrupt(text: string): Promise<void>;
}

/** A program in one version or dialect that goes on with conversations. */
export interface Reader {
  /** In words, such as `codex app-server 0.104.0`. */
  name: string;
  resume(scene: Scene, recorded: Recorded, context: CheckContext): Promise<Partner>;
}

/** A program in one version or dialect that also begins them. */
export interface Writer extends Reader {
  /** How its model runs a command. */
  runs(line: string, callId: string): Step;
  /** Whether it tells the model that a turn was interrupted. */
  marksInterruption: boolean;
  start(scene: Scene, context: CheckContext): Promise<WritingPartner>;
}

/** A program that can also go on with a copy of a conversation, under a new id. */
export interface CopyingWriter extends Writer {
  copy(scene: Scene, recorded: Recorded, context: CheckContext): Promise<WritingPartner>;
}
