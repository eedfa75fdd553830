/** A check that runs for long. */
export interface Soak {
  name: string;
  /** Default number of rounds. */
  usualCount: number;
  run(options: SoakOptions): Promise<SoakResult>;
}

export interface SoakOptions {
  count: number;
  /** Seed of all random choices. */
  seed: number;
  /** Called after a number of further rounds. */
  progress(rounds: number): void;
}

export interface SoakResult {
  /** Violations, as sentences; empty if all is well. */
  problems: string[];
  summary: string;
}
