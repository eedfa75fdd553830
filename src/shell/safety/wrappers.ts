/** Options of a program that runs another one. */
interface Wrapper {
  /** Options whose value is the next word. */
  valued?: string;
  /** Number of operands before the command. */
  operands?: number;
  /** Accepts `NAME=value` before the command. */
  assigns?: true;
  /** Options whose value is a script. */
  scripts?: string;
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued:
      "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --close-from",
    assigns: true,
  },
  doas: { valued: "-u -C -a" },
  run0: { valued: "-u --user --property --description --slice --nice -D --chdir" },
  pkexec: { valued: "--user" },
  su: { valued: "-s -g -G -w --shell --group", operands: 1, scripts: "-c --command" },
  runuser: { valued: "-u -s -g -G -w --user", scripts: "-c --command" },
  env: { valued: "-u -C --unset --chdir", assigns: true, scripts: "-S --split-string" },
  command: {},
  builtin: {},
  exec: { valued: "-a" },
  nohup: {},
  setsid: {},
  noglob: {},
  nocorrect: {},
  time: { valued: "-f -o --format --output" },
  nice: { valued: "-n --adjustment" },
  ionice: { valued: "-c -n -p --class --classdata" },
  chrt: { valued: "-T -P -D", operands: 1 },
  taskset: { operands: 1 },
  timeout: { valued: "-k -s --kill-after --signal", operands: 1 },
  stdbuf: { valued: "-i -o -e --input --output --error" },
  flock: { valued: "-w -E --timeout", operands: 1, scripts: "-c --command" },
  chroot: { operands: 1 },
  unshare: {},
  nsenter: { valued: "-t --target" },
  busybox: {},
  toybox: {},
  strace: { valued: "-e -o -p -s -u -E" },
  ltrace: { valued: "-e -o -p -s -u" },
  watch: { valued: "-n --interval" },
  caffeinate: { valued: "-t -w" },
  parallel: { valued: "-j --jobs" },
  script: { scripts: "-c --command" },
  xargs: {
    valued:
      "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-lines --max-args --max-procs --max-chars",
  },
};

/** Commands and shell scripts that a wrapper runs. */
export interface WrappedCommands {
  commands: string[][];
  scripts: string[];
}

/**
 * Returns the commands that a wrapper with these arguments would run; none if it is not a wrapper.
 *
 * Used to find commands that require approval or must be refused, never to prove their absence:
 * after an unknown option, the next word is also tried as its value.
 */
export function wrappedCommands(name: string, args: readonly string[]): WrappedCommands {
  if (name === "find" || name === "fd") return { commands: executedByFind(args), scripts: [] };
  if (name === "eval") return { commands: [], scripts: [args.join(" ")] };
  if (name === "trap") return trapped(args);
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  return wrapper === undefined ? { commands: [], scripts: [] } : unwrap(wrapper, args);
}

/** Returns true if a program only serves to run another one. */
export function isWrapper(name: string): boolean {
  return Object.hasOwn(wrappers, name);
}

function unwrap(wrapper: Wrapper, args: readonly string[]): WrappedCommands {
  const valued = new Set(wrapper.valued?.split(" "));
  const scriptOptions = new Set(wrapper.scripts?.split(" "));
  const scripts: string[] = [];
  let hasUnknownOption = false;
  let operands = wrapper.operands ?? 0;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [option = "", inline] = arg.split(/=(.*)/s);
    if (arg === "--") {
      at += 1 + operands;
      break;
    }
    if (scriptOptions.has(option)) scripts.push(inline ?? args[++at] ?? "");
    else if (valued.has(arg)) at++;
    else if (arg.startsWith("-") && arg !== "-") hasUnknownOption ||= !arg.includes("=");
    else if (wrapper.assigns && /^[A-Za-z_]\w*=/.test(arg)) continue;
    else if (operands > 0) operands--;
    else break;
  }
  const rest = args.slice(at);
  const commands = hasUnknownOption ? [rest, rest.slice(1)] : [rest];
  return { commands: commands.filter((command) => command.length > 0), scripts };
}

function trapped(args: readonly string[]): WrappedCommands {
  const action = args[0] === "--" ? args[1] : args[0];
  const isScript = action !== undefined && !action.startsWith("-");
  return { commands: [], scripts: isScript ? [action] : [] };
}

const executing = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;

function executedByFind(args: readonly string[]): string[][] {
  return args.flatMap((arg, index) => {
    if (!executing.test(arg)) return [];
    const rest = args.slice(index + 1);
    const end = rest.findIndex((word) => word === ";" || word === "+");
    return [end === -1 ? rest : rest.slice(0, end)];
  });
}
