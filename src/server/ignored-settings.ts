import { type Config, ignoredText } from "../config/index.js";
import type { EngineParts } from "../engine/index.js";
import type { ConfigWarningNotification } from "../protocol/rpc/v2/config.js";

type Tell = (warning: ConfigWarningNotification) => void;

/**
 * Tells clients which settings have no effect: all of them to a client that connects, later ones
 * once to everyone. Threads come and go by the hundred and must not repeat it.
 */
export class IgnoredSettings {
  readonly #notifyAll: Tell;
  readonly #told = new Set<string>();
  /** Resolves when the clients that are there have been told of the files. */
  #known: Promise<unknown> = Promise.resolve();

  constructor(notifyAll: Tell) {
    this.#notifyAll = notifyAll;
  }

  /** Tells a client that has just connected, once its settings have been read. */
  welcome(reading: Promise<readonly string[]>, tell: Tell): void {
    const told = reading.then((lines) => {
      for (const line of lines) this.#told.add(line);
      if (lines.length > 0) tell(toWarning(lines));
    });
    this.#known = Promise.allSettled([this.#known, told]);
  }

  /** Loads settings for threads, which say nothing of the keys themselves. */
  quietly(loadConfig: EngineParts["loadConfig"]): EngineParts["loadConfig"] {
    return async (op) => {
      const config: Config = await loadConfig(op);
      if (config.ignored.length === 0) return config;
      void this.#known.then(() => this.#tellNew(config.ignored));
      return { ...config, ignored: [] };
    };
  }

  #tellNew(lines: readonly string[]): void {
    const news = lines.filter((line) => !this.#told.has(line));
    for (const line of news) this.#told.add(line);
    if (news.length > 0) this.#notifyAll(toWarning(news));
  }
}

function toWarning(lines: readonly string[]): ConfigWarningNotification {
  return { summary: ignoredText(lines), details: null };
}
