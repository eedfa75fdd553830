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
  /** Messages sent to its client so far; absent if it sends none. */
  recalled: string[] | undefined;
  /** One turn, to its end. */
  say(text: string): Promise<void>;
  /** Lets it exit on its own, so that everything is written. */
  leave(): Promise<void>;
}

/** A program that also supports steps in the middle of a turn. */
export interface WritingPartner extends Partner {
  recorded: Recorded;
  compact(): Promise<void>;
  /** A turn that is interrupted when the answer has begun. */
  interrupt(text: string): Promise<void>;
}

/** A program in one version or era that resumes conversations. */
export interface Reader {
  /** In words, such as `codex app-server 0.104.0`. */
  name: string;
  resume(scene: Scene, recorded: Recorded, context: CheckContext): Promise<Partner>;
}

/** A program in one version or era that also begins them. */
export interface Writer extends Reader {
  /** Tool with which its model runs a command. */
  runs(line: string, callId: string): Step;
  /** True if it reports an interrupted turn to the model. */
  marksInterruption: boolean;
  start(scene: Scene, context: CheckContext): Promise<WritingPartner>;
}

/** A program that can also resume a copy of a conversation, under a new id. */
export interface CopyingWriter extends Writer {
  copy(scene: Scene, recorded: Recorded, context: CheckContext): Promise<WritingPartner>;
}
