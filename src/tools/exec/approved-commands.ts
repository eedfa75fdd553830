/**
 * The commands that the user has approved for the rest of the session: word for word, and where they
 * run, since `./build.sh` is another program in another folder.
 */
export class ApprovedCommands {
  #commands = new Set<string>();

  add(argv: readonly string[], cwd: string): void {
    this.#commands.add(JSON.stringify([cwd, ...argv]));
  }

  has(argv: readonly string[], cwd: string): boolean {
    return this.#commands.has(JSON.stringify([cwd, ...argv]));
  }
}
