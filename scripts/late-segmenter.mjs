// Takes the place of `Intl.Segmenter` in the program: the first one that is made loads tables for a
// fiftieth of a second, and libraries make theirs before anybody asks them something.
const { Segmenter: Real } = globalThis.Intl;

export class LateSegmenter {
  #given;
  #real;

  constructor(...given) {
    this.#given = given;
  }

  segment(text) {
    this.#real ??= new Real(...this.#given);
    return this.#real.segment(text);
  }
}
