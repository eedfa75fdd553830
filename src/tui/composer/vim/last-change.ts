/** Records the keys of each change, so that `.` can repeat the last one. */
export class LastChange {
  #recording: string[] = [];
  #keys: readonly string[] = [];
  #isRepeating = false;

  get isRecording(): boolean {
    return this.#recording.length > 0;
  }

  record(key: string): void {
    if (!this.#isRepeating) this.#recording.push(key);
  }

  /** Forgets the keys so far: they were not those of a change. */
  drop(): void {
    this.#recording = [];
  }

  /** Ends the change. If it leaves the insert mode or the replace mode, the repetition does too. */
  end(isNormalMode: boolean): void {
    if (this.isRecording && !this.#isRepeating) {
      this.#keys = isNormalMode ? this.#recording : [...this.#recording, "\x1b"];
    }
    this.drop();
  }

  /** Presses the keys of the last change again. */
  repeat(count: number, press: (key: string) => void): void {
    const keys = this.#keys;
    this.#isRepeating = true;
    for (let left = count; left > 0; left -= 1) for (const key of keys) press(key);
    this.#isRepeating = false;
  }
}
