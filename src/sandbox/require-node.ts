/**
 * Throws in the single-file executable, whose runtime is not Node.
 *
 * Some helpers run as a separate program by the runtime of this process, and need features that only
 * Node has: limits for workers, and listeners handed over between processes.
 */
export function requireNode(feature: string): void {
  if (process.versions.bun === undefined) return;
  throw new Error(
    `${feature} cannot be used in the single-file executable: install Quire with \`npm install -g quire-agent\` instead`,
  );
}
