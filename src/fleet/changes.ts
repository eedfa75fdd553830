/** Wakes the loops that wait for a change. */
export class Changes {
  #waiting = new Set<() => void>();

  /**
   * Resolves at the next `notify`, when a signal aborts, or after `ms`.
   *
   * Nothing stays behind at the signals: `AbortSignal.any` would leave a reference at the longest-lived one each time.
   */
  next(signals: AbortSignal | readonly AbortSignal[], ms?: number): Promise<void> {
    const ends = signals instanceof AbortSignal ? [signals] : signals;
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        for (const signal of ends) signal.removeEventListener("abort", done);
        clearTimeout(timer);
        resolve();
      };
      if (ends.some((signal) => signal.aborted)) return resolve();
      const timer = ms === undefined ? undefined : setTimeout(done, ms);
      this.#waiting.add(done);
      for (const signal of ends) signal.addEventListener("abort", done);
    });
  }

  notify(): void {
    for (const done of [...this.#waiting]) done();
  }
}
