import { CodexError } from "../../protocol/error.js";

/** A place in a rules file, counted from one. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** An error about a rules file that says where it is: `FILE:LINE:COLUMN: what is wrong`. */
export function rulesError(at: Place, problem: string): CodexError {
  const { file, line, column } = at;
  return new CodexError("config", `${file}:${line}:${column}: ${problem}`, {
    data: { file, line, column },
  });
}
