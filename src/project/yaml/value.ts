/** What YAML text says; words that stand for numbers or truth are kept as they were written. */
export type YamlValue = string | null | YamlValue[] | YamlMapping;

/** Keys are in the order of the text, and never mean anything to JavaScript. */
export type YamlMapping = Map<string, YamlValue>;

/** Text that cannot be read as YAML; the message says where and what to do. */
export class YamlError extends Error {
  override readonly name = "YamlError";
}
