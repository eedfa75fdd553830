import type { CommandContext } from "./command.js";

/** Where something can be said. */
type Place = Pick<CommandContext, "session" | "ui">;

/** Says something in the conversation. */
export function say({ session, ui }: Place, text: string, hint?: string): void {
  session.conversation.transcript.notice({ level: "info", text, ...(hint ? { hint } : {}) });
  ui.screen.requestRender();
}

/** Says that something did not work, and why. */
export function complain({ session, ui }: Place, what: string, error?: unknown): void {
  const why = error === undefined ? "" : `: ${error instanceof Error ? error.message : error}`;
  session.conversation.transcript.notice({ level: "error", text: `${what}${why}` });
  ui.screen.requestRender();
}

/** Both, for a place that needs nothing else. */
export function notices(place: Place): { say(text: string): void; complain(text: string): void } {
  return { say: (text) => say(place, text), complain: (text) => complain(place, text) };
}
