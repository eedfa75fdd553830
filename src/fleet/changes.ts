/** Wakes the loops that wait for a change. */
export class Changes {
  #waiting = new Set<() => void>();

  /** Resolves at the next `notify`, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      if (signal.aborted) return resolve();
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  notify(): void {
    for (const done of [...this.#waiting]) done();
  }
}
