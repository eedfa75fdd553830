import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type LineState, line, reconnectNow } from "../state/connection.js";

/** State of the line to the server, for everyone who looks for it. */
export function ConnectionStatus() {
  const text = statusText(line.value);
  return (
    <div role="status" aria-label="Connection" class={`connection ${line.value.type}`}>
      <span class="connection-dot" aria-hidden="true" />
      <span class="connection-text">{text}</span>
    </div>
  );
}

/** A bar while the line is down: what happens next, and when. */
export function LostBar() {
  const state = line.value;
  const now = useSignal(Date.now());
  useEffect(() => {
    if (state.type !== "waiting") return;
    now.value = Date.now();
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 500);
    return () => clearInterval(timer);
  }, [state, now]);
  if (state.type !== "waiting") return null;
  const seconds = Math.max(0, Math.ceil((state.until - now.value) / 1000));
  return (
    <div class="lost-bar row">
      <span class="grow">
        The connection to the server is lost. Next try in {seconds} s; typed text is kept.
      </span>
      <button type="button" class="button small" onClick={reconnectNow}>
        Connect now
      </button>
    </div>
  );
}

function statusText(state: LineState): string {
  switch (state.type) {
    case "connected":
      return "Connected";
    case "connecting":
      return "Connecting to the server";
    case "waiting":
      return "Disconnected: the server does not answer";
    case "unpaired":
      return "This device is not paired";
    case "ended":
      return "Ended";
  }
}
