import type { PageMessage } from "../../inspect/index.js";
import { isPaired } from "../pairing/pair.js";
import { isKnown, line, pauseBeforeRetry } from "../state/connection.js";
import { apply, reset, state } from "./messages.js";

/** Reads the messages of the inspector, and connects again until it has ended. */
export async function follow(): Promise<void> {
  for (let failures = 0; ; failures++) {
    line.value = { type: "connecting" };
    try {
      if (!(await isPaired())) {
        line.value = { type: "unpaired" };
        return;
      }
      isKnown.value = true;
      await readAll();
      failures = -1;
    } catch (error) {
      console.warn("Connection failed", error);
    }
    if (typeof state.value?.ended === "string") {
      line.value = { type: "ended" };
      return;
    }
    await pauseBeforeRetry(failures);
  }
}

/** Resolves when the connection is closed; rejects if it could not be opened. */
function readAll(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    let isOpen = false;
    socket.onopen = () => {
      isOpen = true;
      reset();
      line.value = { type: "connected" };
    };
    socket.onmessage = ({ data }) => apply(JSON.parse(String(data)) as PageMessage);
    socket.onclose = () => {
      if (isOpen) resolve();
      else reject(new Error("The inspector does not answer"));
    };
  });
}
