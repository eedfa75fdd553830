import { type Config, ignoredText } from "../config/index.js";
import type { EngineParts } from "../engine/index.js";
import type { ConfigWarningNotification } from "../protocol/rpc/v2/config.js";

type Warn = (warning: ConfigWarningNotification) => void;

/**
 * Warns clients of settings that have no effect or are not allowed: a client that connects of all of them, all clients
 * of new ones, once. Hundreds of threads must not repeat the warning.
 */
export class IgnoredSettings {
  readonly #notifyAll: Warn;
  readonly #warned = new Set<string>();
  /** Resolves when the connected clients have been warned of the settings in files. */
  #known: Promise<unknown> = Promise.resolve();

  constructor(notifyAll: Warn) {
    this.#notifyAll = notifyAll;
  }

  /** Warns a client that has just connected, once the settings have been read. */
  warnClient(reading: Promise<readonly string[]>, warn: Warn): void {
    const warned = reading.then((lines) => {
      for (const line of lines) this.#warned.add(line);
      if (lines.length > 0) warn(toWarning(lines));
    });
    this.#known = Promise.allSettled([this.#known, warned]);
  }

  /** Warns a client that has just connected of settings that the administrator does not allow. */
  warnOfConstrained(messages: readonly string[], warn: Warn): void {
    for (const summary of messages) {
      this.#warned.add(summary);
      warn({ summary, details: null });
    }
  }

  /**
   * Wraps `loadConfig` so that threads do not report ignored settings themselves, and so that all
   * clients are notified of new settings that the administrator does not allow.
   */
  quietly(loadConfig: EngineParts["loadConfig"]): EngineParts["loadConfig"] {
    return async (op) => {
      const config: Config = await loadConfig(op);
      const news = config.constrained.filter((message) => !this.#warned.has(message));
      this.warnOfConstrained(news, this.#notifyAll);
      if (config.ignored.length === 0) return config;
      void this.#known.then(() => this.#warnOfNew(config.ignored));
      return { ...config, ignored: [] };
    };
  }

  #warnOfNew(lines: readonly string[]): void {
    const news = lines.filter((line) => !this.#warned.has(line));
    for (const line of news) this.#warned.add(line);
    if (news.length > 0) this.#notifyAll(toWarning(news));
  }
}

function toWarning(lines: readonly string[]): ConfigWarningNotification {
  return { summary: ignoredText(lines), details: null };
}
