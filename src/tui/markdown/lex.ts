import type { Token } from "marked";

/** Reads markdown into its tokens. */
export type Lex = (source: string) => Token[];

/** Loads the reader of markdown, which the first frame does not wait for. */
export async function loadLex(): Promise<Lex> {
  const { Lexer } = await import("marked");
  return (source) => new Lexer({ gfm: true }).lex(source);
}
