// Replaces `Intl.Segmenter` in the program: creating the first one loads tables for 20 ms, and
// libraries create theirs at import.
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
