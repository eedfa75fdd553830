import { awkDataFile, onlyOperand, operands, sedReadPath } from "./operands.js";
import { type Program, type Programs, read, type Summary } from "./program.js";
import { fdSearch, fileAfterCount, findSearch, lsFlagsWithValue } from "./programs-2025.js";

const ezaFlags = ["-I", "--ignore-glob", "--color", "--sort", "--time-style", "--time"];
const treeFlags = ["-L", "-P", "-I", "--charset", "--filelimit", "--sort"];
const duFlags = ["-d", "--max-depth", "-B", "--block-size", "--exclude", "--time-style"];
const gitFlags = ["--exclude", "--exclude-from", "--pathspec-from-file"];
const batFlags = ["--theme", "--language", "--style", "--terminal-width", "--tabs"];
const lessFlags = [
  "-p",
  "-P",
  "-x",
  "-y",
  "-z",
  "-j",
  "--pattern",
  "--prompt",
  "--tabs",
  "--shift",
];
const rgFlags = ["-g", "--glob", "--iglob", "-t", "--type", "--type-add", "--type-not", "-m"];
const rgCounts = ["--max-count", "-A", "-B", "-C", "--context", "--max-depth"];
const agFlags = ["-G", "-g", "--file-search-regex", "--ignore-dir", "--ignore-file"];
const nlFlags = ["-s", "-w", "-v", "-i", "-b"];

const bat = fileOf([...batFlags, "--line-range", "--map-syntax"]);
const eza = listingOf(ezaFlags);
const ag = searchWith([...agFlags, "--path-to-ignore"]);

/** Programs that the reference knew in 2026. */
export const programs2026: Programs = {
  ack: ag,
  ag,
  awk: (args) => read(awkDataFile(args)),
  bat,
  batcat: bat,
  cat: fileOf([]),
  du: listingOf(duFlags),
  egrep: grepSearch,
  exa: eza,
  eza,
  fd: (args) => searchOrListing(fdSearch(args)),
  fgrep: grepSearch,
  find: (args) => searchOrListing(findSearch(args)),
  git: ([command, ...args]) => {
    if (command === "grep") return grepSearch(args);
    return command === "ls-files" ? listingOf(gitFlags)(args) : undefined;
  },
  grep: grepSearch,
  head: (args) => read(fileAfterCount(args, /^\d+$/) ?? loneFile(args)),
  less: fileOf([...lessFlags, "--jump-target"]),
  ls: listingOf(lsFlagsWithValue),
  more: fileOf([]),
  nl: (args) => read(operands(args, nlFlags)[0]),
  pt: ag,
  python,
  python2: python,
  python3: python,
  rg,
  rga: rg,
  "ripgrep-all": rg,
  sed: (args) => read(sedReadPath(args)),
  tail: (args) => read(fileAfterCount(args, /^\+?\d+$/) ?? loneFile(args)),
  tree: listingOf(treeFlags),
};

function rg(args: readonly string[]): Summary {
  const flags = [...rgFlags, ...rgCounts];
  if (args.includes("--files")) return { type: "list_files", path: operands(args, flags)[0] };
  return searchWith(flags)(args);
}

function searchWith(flags: readonly string[]): (args: readonly string[]) => Summary {
  return (args) => {
    const [query, path] = operands(args, flags);
    return { type: "search", query, path };
  };
}

function searchOrListing(found: { query?: string; path?: string }): Summary {
  return { type: found.query === undefined ? "list_files" : "search", ...found };
}

function listingOf(flags: readonly string[]): Program {
  return (args) => ({ type: "list_files", path: operands(args, flags)[0] });
}

function fileOf(flags: readonly string[]): Program {
  return (args) => read(onlyOperand(args, flags));
}

function loneFile(args: readonly string[]): string | undefined {
  return args.length === 1 && args[0]?.startsWith("-") === false ? args[0] : undefined;
}

const patternFlags = new Set(["-e", "--regexp", "-f", "--file"]);
const countFlags = new Set([
  "-m",
  "--max-count",
  "-C",
  "--context",
  "-A",
  "--after-context",
  "-B",
  "--before-context",
]);

/**
 * Returns the pattern and path of a `grep` command; the pattern is never shortened, since it may
 * contain slashes.
 */
function grepSearch(args: readonly string[]): Summary {
  const operands: string[] = [];
  let pattern: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (patternFlags.has(arg)) {
      index += 1;
      pattern ??= args[index];
    } else if (countFlags.has(arg)) {
      index += 1;
    } else if (!arg.startsWith("-")) {
      operands.push(arg);
    }
  }
  if (pattern !== undefined) return { type: "search", query: pattern, path: operands[0] };
  return { type: "search", query: operands[0], path: operands[1] };
}

const walks = [
  "os.walk",
  "os.listdir",
  "os.scandir",
  "glob.glob",
  "glob.iglob",
  "pathlib.Path",
  ".rglob(",
];

/** Shows a one-line Python program that walks directories as a listing of files. */
function python(args: readonly string[]): Summary | undefined {
  const flag = args.indexOf("-c");
  const script = flag === -1 ? undefined : args[flag + 1];
  const lists = script !== undefined && walks.some((walk) => script.includes(walk));
  return lists ? { type: "list_files" } : undefined;
}
