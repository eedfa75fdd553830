import { type Amounts, addAmounts, noAmounts } from "./amounts.js";

/** Amounts that the sessions of this process have used so far, by home. */
const homes = new Map<string, Amounts>();

/**
 * Use of a home since its rollouts were read.
 *
 * Other sessions of this process, such as helper agents, work at the same time: what they use after the
 * reading counts too.
 */
export class LiveUse {
  readonly #home: string;
  #before: Amounts;

  constructor(home: string) {
    this.#home = home;
    this.#before = this.#all;
  }

  /** Adds what a session has used. */
  add(used: Partial<Amounts>): void {
    homes.set(this.#home, addAmounts(this.#all, { ...noAmounts(), ...used }));
  }

  /** Called when the rollouts are read. */
  reset(): void {
    this.#before = this.#all;
  }

  get sinceReset(): Amounts {
    const { tokens, money, turns, seconds } = this.#before;
    const taken = { tokens: -tokens, money: -money, turns: -turns, seconds: -seconds };
    return addAmounts(this.#all, taken);
  }

  get #all(): Amounts {
    return homes.get(this.#home) ?? noAmounts();
  }
}
