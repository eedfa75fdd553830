/** Makes a CommonJS module from esbuild load its imports on first use. */
export function toLazy(code: string): string;
