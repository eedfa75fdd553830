/** A piece of text that was deleted or yanked. */
export interface Register {
  text: string;
  isLines: boolean;
}

/** The pieces of text that were deleted or yanked, by the letter of their register. */
export class Registers {
  readonly #stored = new Map<string, Register>();
  #selected = "";

  /** True if a register is selected for the next command. */
  get hasSelected(): boolean {
    return this.#selected !== "";
  }

  /** Selects the register of the next command. */
  select(name: string): void {
    this.#selected = name;
  }

  unselect(): void {
    this.#selected = "";
  }

  /** Stores text in the selected register, and in the one without a name. */
  store(register: Register): void {
    this.#stored.set("", register);
    this.#stored.set(this.#selected, register);
    this.unselect();
  }

  /** Returns the text of the selected register. */
  take(): Register | undefined {
    const register = this.#stored.get(this.#selected);
    this.unselect();
    return register;
  }
}
