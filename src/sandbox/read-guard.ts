/** Checks files that this process reads for the model. */
export interface ReadGuard {
  /**
   * Returns true if a file may be read. With the descriptor of the open file the answer is about that
   * file, whatever the path names by now.
   */
  mayRead(path: string, descriptor?: number): boolean;
  /** Returns true if a rule denies a path, which need not exist: it may be neither read nor written. */
  isDenied(path: string, descriptor?: number): boolean;
}
