/**
 * Lets a signal have any number of listeners without the warning of Node.
 *
 * Browsers have no such warning, so the module is not imported: this file runs there too.
 */
export function allowManyListeners(signal: AbortSignal): void {
  const { process } = globalThis as { process?: NodeJS.Process };
  process?.getBuiltinModule?.("node:events").setMaxListeners(0, signal);
}
