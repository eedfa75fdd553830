import { effect, signal } from "@preact/signals";
import {
  type AppServerClient,
  connectAppServer,
  type ServerNotification,
  type ServerRequestHandlers,
} from "../../client/index.js";
import { isPaired } from "../pairing/pair.js";
import { type SilenceWatch, watchSilence } from "./silence.js";

/** State of the line to the server. */
export type LineState =
  | { type: "connecting" }
  | { type: "connected" }
  | { type: "waiting"; until: number }
  | { type: "unpaired" }
  | { type: "ended" };

/** State of the line, for everything that shows it. */
export const line = signal<LineState>({ type: "connecting" });

/** True once the server has confirmed that this device is paired. */
export const isKnown = signal(false);

/** Callbacks of a connection. */
export interface ConnectionParts {
  handlers: ServerRequestHandlers;
  onNotification(notification: ServerNotification): void;
  /** Called after each connect, before `line` changes. */
  onConnected(client: AppServerClient): Promise<void>;
  onLost(): void;
}

/** Connects again and again until the device is not paired any more. */
export async function stayConnected(parts: ConnectionParts): Promise<void> {
  for (let failures = 0; ; failures++) {
    line.value = { type: "connecting" };
    try {
      if (!(await isPaired())) {
        line.value = { type: "unpaired" };
        return;
      }
      isKnown.value = true;
      let watch: SilenceWatch | undefined;
      const client = await connectAppServer(address(), {
        clientInfo: { name: "quire-web", title: "Quire Web", version: "1" },
        capabilities: { experimentalApi: true, runningItems: true },
        handlers: parts.handlers,
        onNotification(notification) {
          watch?.heard();
          parts.onNotification(notification);
        },
        onFault: (error) => console.error(error),
      });
      watch = watchSilence(client);
      const ended = Promise.race([client.closed, watch.silent]);
      await Promise.race([parts.onConnected(client), ended]);
      line.value = { type: "connected" };
      failures = -1;
      await ended;
      client.close().catch(() => undefined);
    } catch (error) {
      console.warn("Connection failed", error);
    }
    parts.onLost();
    await pauseBeforeRetry(failures);
  }
}

/** Waits before the next try, the longer the more tries have failed. */
export function pauseBeforeRetry(failures: number): Promise<void> {
  return pause(Math.min(5000, 500 * 2 ** Math.max(0, failures)));
}

/** Resolves when the page is connected; rejects if that takes too long. */
export function whenConnected(): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(new Error("There is no connection to the server; the message was not sent"));
    }, maxWaitMs);
    const stop = effect(() => {
      if (line.value.type !== "connected") return;
      clearTimeout(timer);
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

const maxWaitMs = 30_000;

let endPause = () => {};

/** Tries to connect now instead of at the end of the pause. */
export function reconnectNow(): void {
  endPause();
}

function pause(ms: number): Promise<void> {
  line.value = { type: "waiting", until: Date.now() + ms };
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      document.removeEventListener("visibilitychange", end);
      resolve();
    };
    endPause = end;
    window.addEventListener("online", end);
    document.addEventListener("visibilitychange", end);
  });
}

function address(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}
