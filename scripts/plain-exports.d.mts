/** Makes a CommonJS module from esbuild export plain values instead of getters. */
export function toPlainExports(code: string): string;
