/** A check that runs for long. */
export interface Soak {
  name: string;
  /** How many rounds it takes unless told. */
  usualCount: number;
  run(options: SoakOptions): Promise<SoakResult>;
}

export interface SoakOptions {
  count: number;
  /** What is random follows from it. */
  seed: number;
  /** Told when so many more rounds are done. */
  progress(rounds: number): void;
}

export interface SoakResult {
  /** What must not be, in words; none when all is well. */
  problems: string[];
  summary: string;
}
