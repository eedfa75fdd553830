/** Prompts are kept as Markdown files and bundled as text. */
declare module "*.md" {
  const text: string;
  export default text;
}

/** Grammars are kept as files too. */
declare module "*.lark" {
  const text: string;
  export default text;
}

/** So are programs that run in another process. */
declare module "*.txt" {
  const text: string;
  export default text;
}
