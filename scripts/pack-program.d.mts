/** Writes the modules, code by name such as `/cli/main.js`, into a folder so that its `main.js` starts fast. */
export function packProgram(folder: string, modules: ReadonlyMap<string, string>): Promise<void>;
