/** A segmenter that is created on first use. */
export class LateSegmenter {
  constructor(...given: ConstructorParameters<typeof Intl.Segmenter>);
  segment(text: string): Intl.Segments;
}
