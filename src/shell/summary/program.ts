/** Action of one command, before it is formatted. */
export type Summary =
  | { type: "read"; path: string }
  | { type: "list_files"; path?: string | undefined }
  | { type: "search"; query?: string | undefined; path?: string | undefined };

/** Parses the arguments of one program; returns `undefined` if its action is unknown. */
export type Program = (args: readonly string[]) => Summary | undefined;

/** Programs by name. */
export type Programs = Readonly<Record<string, Program>>;

/** Returns the summary of a program that shows one file. */
export function read(path: string | undefined): Summary | undefined {
  return path === undefined ? undefined : { type: "read", path };
}
