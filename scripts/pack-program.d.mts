/** Writes the chunks, code by file name, into a folder so that its `main.js` starts fast. */
export function packProgram(folder: string, chunks: ReadonlyMap<string, string>): Promise<void>;
