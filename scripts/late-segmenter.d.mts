/** A segmenter that is made when it is first asked. */
export class LateSegmenter {
  constructor(...given: ConstructorParameters<typeof Intl.Segmenter>);
  segment(text: string): Intl.Segments;
}
