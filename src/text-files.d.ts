/** Prompts are kept as Markdown files and bundled as text. */
declare module "*.md" {
  const text: string;
  export default text;
}
