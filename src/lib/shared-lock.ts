/** Lets work that may be shared run side by side, and all other work alone, in the order it came. */
export class SharedLock {
  #exclusive: Promise<unknown> = Promise.resolve();
  #shared: Promise<unknown>[] = [];

  /** Runs beside other shared work, once the exclusive work before it has ended. */
  runShared<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#exclusive.then(work);
    this.#shared.push(quiet(result));
    return result;
  }

  /** Runs alone: after everything before it, and before everything after it. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    const before = [this.#exclusive, ...this.#shared];
    const result = Promise.all(before).then(work);
    this.#exclusive = quiet(result);
    this.#shared = [];
    return result;
  }
}

/** Whoever runs the work sees how it failed; whoever only waits for it does not care. */
function quiet(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(() => {});
}
