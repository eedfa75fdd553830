import { CodexError } from "../../protocol/error.js";

/** A value of a rules file with its position. */
export type Value =
  | { type: "string"; value: string; at: Place }
  | { type: "list"; items: readonly Value[]; at: Place }
  | { type: "int" | "bool"; at: Place }
  | { type: "NoneType"; at: Place };

/** Arguments of a call by name; an argument given as `None` is absent. */
export type Arguments = ReadonlyMap<string, Value>;

/** Returns a string argument; `undefined` if absent. */
export function optionalString(args: Arguments, name: string): string | undefined {
  const value = args.get(name);
  if (value === undefined) return undefined;
  if (value.type === "string") return value.value;
  throw rulesError(value.at, `${name} must be a string (got ${value.type})`);
}

/** Returns a required string argument. */
export function requiredString(args: Arguments, name: string, call: Place): string {
  const value = optionalString(args, name);
  if (value === undefined) throw rulesError(call, `missing argument ${name}`);
  return value;
}

/** Returns the items of a list argument; `undefined` if absent. */
export function optionalList(args: Arguments, name: string): readonly Value[] | undefined {
  const value = args.get(name);
  if (value === undefined) return undefined;
  if (value.type === "list") return value.items;
  throw rulesError(value.at, `${name} must be a list (got ${value.type})`);
}

/** Returns the items of a required list argument. */
export function requiredList(args: Arguments, name: string, call: Place): readonly Value[] {
  const items = optionalList(args, name);
  if (items === undefined) throw rulesError(call, `missing argument ${name}`);
  return items;
}

/** A position in a rules file, counted from one. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** Creates an error with its position in a rules file: `FILE:LINE:COLUMN: PROBLEM`. */
export function rulesError(at: Place, problem: string): CodexError {
  const { file, line, column } = at;
  return new CodexError("config", `${file}:${line}:${column}: ${problem}`, {
    data: { file, line, column },
  });
}

/** Returns the sum of two strings or two lists; throws for others. */
export function concatenate(left: Value, right: Value, at: Place): Value {
  if (left.type === "string" && right.type === "string") {
    return { type: "string", value: left.value + right.value, at: left.at };
  }
  if (left.type === "list" && right.type === "list") {
    return { type: "list", items: [...left.items, ...right.items], at: left.at };
  }
  throw rulesError(at, `cannot add ${right.type} to ${left.type}`);
}
