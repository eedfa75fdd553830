import { basename, isAbsolute } from "node:path";
import type { Call } from "./syntax.js";
import { requiredList, requiredString, rulesError } from "./values.js";

/** A program and the paths that are equivalent to its name. */
export interface HostExecutable {
  name: string;
  paths: readonly string[];
}

/** Parses `host_executable(name, paths)`. */
export function readHostExecutable({ args, at }: Call): HostExecutable {
  const name = requiredString(args, "name", at);
  const nameAt = args.get("name")?.at ?? at;
  if (name === "") throw rulesError(nameAt, "invalid rule: host_executable name cannot be empty");
  if (basename(name) !== name || name === "." || name === "..") {
    throw rulesError(
      nameAt,
      `invalid rule: host_executable name must be a bare executable name (got ${name})`,
    );
  }
  const paths = new Set<string>();
  for (const value of requiredList(args, "paths", at)) {
    const bad = (problem: string) => rulesError(value.at, `invalid rule: ${problem}`);
    if (value.type !== "string") {
      throw bad(`host_executable paths must be strings (got ${value.type})`);
    }
    const path = value.value;
    if (!isAbsolute(path)) throw bad(`host_executable paths must be absolute (got ${path})`);
    if (basename(path) !== name) {
      throw bad(`host_executable path \`${path}\` must have basename \`${name}\``);
    }
    paths.add(path);
  }
  return { name, paths: [...paths] };
}
