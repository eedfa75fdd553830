/** Makes a CommonJS module that esbuild wrote export its values themselves, not functions that get them. */
export function toPlainExports(code: string): string;
