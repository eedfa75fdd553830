/** Wakes the loops that wait for a change. */
export class Changes {
  #waiting = new Set<() => void>();

  /**
   * Resolves at the next `notify`, when a signal aborts, or after `ms`.
   *
   * Nothing stays behind at the signals: `AbortSignal.any` would leave a reference at the longest-lived one each time.
   */
  next(signals: AbortSignal | readonly AbortSignal[], ms?: number): Promise<void> {
    return new Promise((resolve) => void this.once(() => resolve(), signals, ms));
  }

  /** Calls back once, when `next` would resolve; returns a function that prevents it. */
  once(
    onChange: (isNotified: boolean) => void,
    signals: AbortSignal | readonly AbortSignal[],
    ms?: number,
  ): () => void {
    const ends = signals instanceof AbortSignal ? [signals] : signals;
    const cancel = () => {
      this.#waiting.delete(onNotify);
      for (const signal of ends) signal.removeEventListener("abort", onEnd);
      clearTimeout(timer);
    };
    const finish = (isNotified: boolean) => {
      cancel();
      onChange(isNotified);
    };
    const onNotify = () => finish(true);
    const onEnd = () => finish(false);
    const timer = ms === undefined ? undefined : setTimeout(onEnd, ms);
    if (ends.some((signal) => signal.aborted)) {
      onEnd();
      return cancel;
    }
    this.#waiting.add(onNotify);
    for (const signal of ends) signal.addEventListener("abort", onEnd);
    return cancel;
  }

  notify(): void {
    for (const onNotify of [...this.#waiting]) onNotify();
  }
}
