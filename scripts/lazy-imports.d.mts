/** Makes a CommonJS module that esbuild wrote load what it imports when it is first used. */
export function toLazy(code: string): string;
