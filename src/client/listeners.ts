/** Those who hear of something; one that throws does not keep it from the others. */
export class Listeners<Message> {
  #listeners = new Set<(message: Message) => void>();
  #onFault: ((error: unknown) => void) | undefined;

  constructor(onFault: ((error: unknown) => void) | undefined) {
    this.#onFault = onFault;
  }

  /** Adds one; the function returned takes it away again. */
  add(listener: (message: Message) => void): () => void {
    const own = (message: Message) => listener(message);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  tell(message: Message): void {
    for (const listener of this.#listeners) {
      try {
        listener(message);
      } catch (error) {
        this.#onFault?.(error);
      }
    }
  }
}
