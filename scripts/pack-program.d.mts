/**
 * Writes the modules (code by name, such as `/cli/main.js`) to a folder whose `main.js` starts
 * fast.
 */
export function packProgram(folder: string, modules: ReadonlyMap<string, string>): Promise<void>;
