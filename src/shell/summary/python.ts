import type { Program, Programs } from "./program.js";

const walks = [
  "os.walk",
  "os.listdir",
  "os.scandir",
  "glob.glob",
  "glob.iglob",
  "pathlib.Path",
  ".rglob(",
];

/** A one-line Python program that walks directories is shown as a listing of files. */
const python: Program = (args) => {
  const flag = args.indexOf("-c");
  const script = flag === -1 ? undefined : args[flag + 1];
  const lists = script !== undefined && walks.some((walk) => script.includes(walk));
  return lists ? { type: "list_files" } : undefined;
};

/** The names under which Python without a minor version is called. */
export const pythonPrograms: Programs = { python, python2: python, python3: python };

/** The same for `python3.12` and the like. */
export function versionedPython(name: string): Program | undefined {
  return /^python[23]\../.test(name) ? python : undefined;
}
