import { CodexError } from "../../protocol/error.js";

/** A value of a rules file and where it stands. */
export type Value =
  | { type: "string"; value: string; at: Place }
  | { type: "list"; items: readonly Value[]; at: Place }
  | { type: "int" | "bool"; at: Place }
  | { type: "NoneType"; at: Place };

/** The arguments of a call by their names; an argument given as `None` is not there. */
export type Arguments = ReadonlyMap<string, Value>;

/** The text of a string argument; nothing when it is absent. */
export function optionalString(args: Arguments, name: string): string | undefined {
  const value = args.get(name);
  if (value === undefined) return undefined;
  if (value.type === "string") return value.value;
  throw rulesError(value.at, `${name} must be a string (got ${value.type})`);
}

/** The text of a string argument that must be there. */
export function requiredString(args: Arguments, name: string, call: Place): string {
  const value = optionalString(args, name);
  if (value === undefined) throw rulesError(call, `missing argument ${name}`);
  return value;
}

/** The items of a list argument; nothing when it is absent. */
export function optionalList(args: Arguments, name: string): readonly Value[] | undefined {
  const value = args.get(name);
  if (value === undefined) return undefined;
  if (value.type === "list") return value.items;
  throw rulesError(value.at, `${name} must be a list (got ${value.type})`);
}

/** The items of a list argument that must be there. */
export function requiredList(args: Arguments, name: string, call: Place): readonly Value[] {
  const items = optionalList(args, name);
  if (items === undefined) throw rulesError(call, `missing argument ${name}`);
  return items;
}

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
