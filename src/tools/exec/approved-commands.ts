/** The commands that the user has approved for the rest of the session, word for word. */
export class ApprovedCommands {
  #commands = new Set<string>();

  add(argv: readonly string[]): void {
    this.#commands.add(JSON.stringify(argv));
  }

  has(argv: readonly string[]): boolean {
    return this.#commands.has(JSON.stringify(argv));
  }
}
