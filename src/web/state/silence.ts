import type { AppServerClient } from "../../client/index.js";

/** Watches whether a server still answers. */
export interface SilenceWatch {
  /** Notes a message of the server. */
  heard(): void;
  /** Resolves when the server does not answer any more. */
  silent: Promise<void>;
}

/**
 * Asks a quiet server for an answer now and then, and at once when the page or the network is back.
 *
 * A browser notices only after minutes that a phone slept, a network changed or a server hangs. A page that
 * nobody sees asks nothing.
 */
export function watchSilence(client: AppServerClient): SilenceWatch {
  let heardAt = Date.now();
  let isAsking = false;
  const heard = () => {
    heardAt = Date.now();
  };
  const silent = new Promise<void>((resolve) => {
    const ask = () => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      const askedAt = Date.now();
      const judge = () => {
        isAsking = false;
        if (heardAt < askedAt && !document.hidden) resolve();
      };
      // A page that was busy or asleep itself first handles what has arrived meanwhile.
      let limit = setTimeout(() => {
        limit = setTimeout(judge, graceMs);
      }, answerMs);
      const answered = () => {
        clearTimeout(limit);
        isAsking = false;
        heard();
      };
      client.request("thread/loaded/list", { limit: 1 }).then(answered, answered);
    };
    const timer = setInterval(() => {
      if (Date.now() - heardAt >= quietMs) ask();
    }, lookMs);
    window.addEventListener("online", ask);
    document.addEventListener("visibilitychange", ask);
    client.signal.addEventListener("abort", () => {
      clearInterval(timer);
      window.removeEventListener("online", ask);
      document.removeEventListener("visibilitychange", ask);
    });
  });
  return { heard, silent };
}

const quietMs = 15_000;
const answerMs = 10_000;
const graceMs = 1000;
const lookMs = 5000;
