import { splitWords } from "../quote.js";
import { isPowerShell } from "../shell-argv.js";

/** Returns true if a command opens a web page or deletes by force with Windows tools. */
export function isDangerousOnWindows(argv: readonly string[]): boolean {
  const [program, ...args] = argv;
  if (program === undefined) return false;
  if (isPowerShell(program)) return isDangerousPowerShell(powerShellWords(args));
  if (/^cmd(?:\.exe)?$/.test(baseName(program))) return isDangerousCmd(args);
  return opensPage(baseName(program), args);
}

function isDangerousPowerShell(words: readonly string[]): boolean {
  const lower = words.map((word) => word.replaceAll(/^['"]+|['"]+$/g, "").toLowerCase());
  if (words.some(holdsUrl)) {
    if (lower.some((word) => /start-process|invoke-item|^(?:start|saps|ii)$/.test(word)))
      return true;
    if (lower.some((word) => /shellexecute|shell\.application/.test(word))) return true;
    if (opensPage(lower[0] ?? "", words.slice(1))) return true;
  }
  return deletesByForce(lower);
}

function powerShellWords(args: readonly string[]): readonly string[] {
  for (const [index, arg] of args.entries()) {
    if (/^(?:[-/]command|-c)$/i.test(arg)) {
      return index === args.length - 2 ? (splitWords(args[index + 1] ?? "") ?? []) : [];
    }
    if (/^[-/]command:/i.test(arg)) {
      return index === args.length - 1 ? (splitWords(arg.slice(arg.indexOf(":") + 1)) ?? []) : [];
    }
    if (!arg.startsWith("-")) return args.slice(index);
  }
  return [];
}

function deletesByForce(words: readonly string[]): boolean {
  // `;`, `|` and `&` end a command; brackets and commas are only attached to its words.
  const segments = words.join(" ").split(/[;|&\r\n\t]/);
  return segments.some((segment) => {
    const atoms = segment.split(/[\s{}()[\],]+/);
    const deletes = atoms.some((atom) => /^(?:remove-item|ri|rm|del|erase|rd|rmdir)$/.test(atom));
    return deletes && atoms.some((atom) => /^-force(?::|$)/.test(atom));
  });
}

function isDangerousCmd(args: readonly string[]): boolean {
  const start = args.findIndex((arg) => /^(?:\/[cr]|-c)$/i.test(arg));
  if (start === -1 || !args.slice(0, start).every((arg) => arg.startsWith("/"))) return false;
  const body = args.slice(start + 1);
  const words = body.length === 1 ? (splitWords(body[0] ?? "") ?? body) : body;
  const line = words.flatMap((word) =>
    word.split(/(&&?|\|\|?)/).filter((part) => part.trim() !== ""),
  );
  return segmentsOf(line).some(isDangerousCmdCommand);
}

function segmentsOf(words: readonly string[]): string[][] {
  const segments: string[][] = [[]];
  for (const word of words) {
    if (/^(?:&&?|\|\|?)$/.test(word)) segments.push([]);
    else segments.at(-1)?.push(word);
  }
  return segments;
}

function isDangerousCmdCommand([program = "", ...args]: readonly string[]): boolean {
  const has = (flag: string) => args.some((arg) => arg.toLowerCase() === flag);
  const name = program.toLowerCase();
  if (name === "start") return args.some(holdsUrl);
  if (name === "del" || name === "erase") return has("/f");
  return (name === "rd" || name === "rmdir") && has("/s") && has("/q");
}

function opensPage(program: string, args: readonly string[]): boolean {
  if (!args.some(holdsUrl)) return false;
  const name = program.replace(/\.exe$/, "");
  if (name === "rundll32") return args.some((arg) => /url\.dll,fileprotocolhandler/i.test(arg));
  return /^(?:explorer|mshta|chrome|msedge|firefox|iexplore)$/.test(name);
}

function holdsUrl(word: string): boolean {
  return /https?:\/\/[^\s"');]/i.test(word);
}

function baseName(program: string): string {
  return (program.split(/[/\\]/).at(-1) ?? "").toLowerCase();
}
