import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { errorText } from "../lib/errors.js";
import { randomUuid } from "../lib/ids.js";
import { CodexError } from "../protocol/error.js";
import { BreachWatch } from "./breach-watch.js";
import { bubblewrapDescriptors, type Mount, mountsFor } from "./bubblewrap.js";
import { type BubblewrapCall, openBubblewrapCall } from "./bubblewrap-call.js";
import { isolatedLaunch, launchOf } from "./bubblewrap-launch.js";
import { type Confinement, confine } from "./confinement.js";
import { type Bubblewrap, bubblewrapPlaces, detectBubblewrap, wasTooBusy } from "./detect.js";
import { holdPaths } from "./held-paths.js";
import type { Launch } from "./launch.js";
import { NestedRepositories } from "./nested-repositories.js";
import { ancestors, entryAt, findHidden } from "./paths.js";
import { Placeholders } from "./placeholders.js";
import {
  type CommandToConfine,
  type EnforcedPolicy,
  hasNetwork,
  keptPaths,
  type PlatformSandbox,
  type ProgramToIsolate,
  proxiedNetwork,
  type SandboxOptions,
} from "./policy.js";
import { openSharedDirectory, PrivateMounts } from "./private-mounts.js";
import { requireNode } from "./require-node.js";
import type { RuledFiles, RuleFiles } from "./rules/rule-files.js";
import { openProgram, seccompProgram } from "./seccomp.js";
import type { SyscallTable } from "./syscalls.js";
import { cannotConfine } from "./unavailable.js";
import type { FoundRoots } from "./writable-roots.js";

/** Options of the Linux sandbox. */
export interface BubblewrapSandboxOptions extends SandboxOptions {
  table: SyscallTable;
  findRoots(policy: EnforcedPolicy, cwd: string): FoundRoots;
  /** Loads what resolves rules of a profile. */
  ruleFiles(): Promise<RuleFiles>;
}

/** Confines commands with namespaces and a system call filter. */
export class BubblewrapSandbox implements PlatformSandbox {
  readonly #options: BubblewrapSandboxOptions;
  readonly #nested = new NestedRepositories({ directories: 4_000, entries: 100_000, depth: 8 });
  readonly #filters = new Map<"none" | "proxied" | "full", Buffer>();
  readonly #warned = new Set<string>();
  readonly #private = new PrivateMounts();
  #placeholders: Placeholders | undefined;
  #detected: Promise<Bubblewrap | CodexError> | undefined;
  #resetsSignals: Promise<boolean> | undefined;

  constructor(options: BubblewrapSandboxOptions) {
    this.#options = options;
  }

  async unavailable(): Promise<CodexError | undefined> {
    const detected = await this.#detect();
    return detected instanceof CodexError ? detected : undefined;
  }

  async prepare(command: CommandToConfine): Promise<Launch | CodexError> {
    const bubblewrap = await this.#detect();
    if (bubblewrap instanceof CodexError) return bubblewrap;
    const found = this.#options.findRoots(command.policy, command.cwd);
    let rules: RuledFiles | undefined;
    try {
      rules = await this.#rulesFor(command, found);
      return await this.#prepare(command, bubblewrap, found, rules);
    } catch (error) {
      rules?.watch?.stop();
      return cannotConfine(errorText(error), error);
    }
  }

  async isolate({ args, memoryMb }: ProgramToIsolate): Promise<Launch | CodexError> {
    const bubblewrap = await this.#detect();
    if (bubblewrap instanceof CodexError) return bubblewrap;
    try {
      requireNode("Code mode");
      const { nodeMounts } = await import("./isolation.js");
      const prefix = await this.#private.prefix();
      const call = openBubblewrapCall({
        plan: {
          root: "nothing",
          mounts: nodeMounts(),
          network: false,
          cwd: "/",
          env: {},
          newSession: true,
          freshProc: bubblewrap.freshProc,
        },
        argv: [process.execPath, ...args],
        filter: seccompProgram(this.#options.table, { network: false, threadsOnly: true }),
        bindsDescriptors: bubblewrap.bindsDescriptors,
        dataDirectories: this.#dataDirectories(),
      });
      const program = [
        "/bin/sh",
        ...limited(memoryMb),
        ...(prefix ?? []),
        bubblewrap.path,
      ] as const;
      return isolatedLaunch(program, call);
    } catch (error) {
      return cannotConfine(errorText(error), error);
    }
  }

  async #prepare(
    command: CommandToConfine,
    bubblewrap: Bubblewrap,
    found: FoundRoots,
    rules: RuledFiles | undefined,
  ): Promise<Launch> {
    const roots = rules?.roots ?? found.roots;
    const confinement = confine({
      roots,
      nested: await this.#nestedIn({ ...found, roots }),
      keep: [...keptPaths(this.#options), ...(rules?.readOnly ?? [])],
      userHome: this.#options.userHome,
      ...(rules === undefined ? {} : { denied: rules.masked, missing: rules.missing }),
    });
    if (confinement.refusal !== undefined) throw new Error(confinement.refusal);
    const prefix = await this.#private.prefix();
    const { states, parents, release } = await holdPaths(
      this.#ownPlaceholders(),
      confinement,
      rules,
    );
    try {
      const shielded = command.terminal === true && (await this.#canResetSignals());
      const argv = shielded ? [...resetSignals, ...command.argv] : command.argv;
      const hidden = findHidden(rules?.root === "write" ? [] : (this.#options.hidden ?? []));
      const mounts = mountsFor({
        confinement: { ...confinement, pins: [...confinement.pins, ...parents] },
        placeholders: states,
        masked: [...(this.#options.maskedDirectories ?? []), ...hidden.directories],
        hidden: hidden.files,
        bindsDescriptors: bubblewrap.bindsDescriptors,
      });
      const bridge = await this.#bridgeFor(command.policy);
      const confined = { ...command, argv };
      const call = this.#open(bridge?.wrap(confined) ?? confined, bubblewrap, mounts, rules);
      const warnings = this.#unseen([
        ...(bubblewrap.freshProc ? [] : [hostProcesses]),
        ...(prefix === undefined ? [laterMounts] : []),
        ...found.warnings,
        ...confinement.warnings,
        ...(rules?.warnings ?? []),
      ]);
      const [first, ...rest] = [...(prefix ?? []), bubblewrap.path];
      const program = [first ?? bubblewrap.path, ...rest] as const;
      const watch = new BreachWatch(
        [...worthWatching(confinement), ...hidden.files],
        [...hidden.absent, ...unheldIn(confinement)],
      );
      const denied = rules?.watch === undefined ? {} : { denied: rules.watch };
      const sources = { command, program, call, shielded, warnings, watch, ...denied, release };
      const launch = launchOf(sources);
      return bridge?.attach(launch) ?? launch;
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Resolves the rules of a profile; a plain mode has none, and loads nothing. */
  async #rulesFor({ policy, cwd, workdir }: CommandToConfine, { roots }: FoundRoots) {
    if (policy.rules === undefined) return undefined;
    const files = await this.#options.ruleFiles();
    return files.resolve(policy.rules, {
      cwd,
      ...(workdir === undefined ? {} : { workdir }),
      roots,
    });
  }

  /** Returns the way to our proxy, if rules by domain require it. */
  async #bridgeFor(policy: EnforcedPolicy) {
    const rules = proxiedNetwork(policy);
    if (rules === undefined) return undefined;
    const { NetworkBridge } = await import("./network/bridge.js");
    const { resolveHost } = this.#options;
    return new NetworkBridge({ rules, resolveHost, descriptor: bubblewrapDescriptors.rest });
  }

  close(): void {
    this.#placeholders?.releaseAll();
  }

  #detect(): Promise<Bubblewrap | CodexError> {
    const { bubblewrapPath, probeTimeoutMs } = this.#options;
    this.#detected ??= detectBubblewrap({
      places:
        bubblewrapPath === undefined ? bubblewrapPlaces : [...bubblewrapPlaces, bubblewrapPath],
      filter: this.#filter("none"),
      timeoutMs: probeTimeoutMs ?? 1_500,
      dataDirectories: this.#dataDirectories(),
    }).then((detected) => {
      if (detected instanceof CodexError && wasTooBusy(detected)) this.#detected = undefined;
      return detected;
    });
    return this.#detected;
  }

  #open(
    command: CommandToConfine,
    bubblewrap: Bubblewrap,
    mounts: readonly Mount[],
    rules: RuledFiles | undefined,
  ): BubblewrapCall {
    const proxied = proxiedNetwork(command.policy) !== undefined;
    const network = hasNetwork(command.policy) && !proxied;
    const isOpen = network && command.policy.rules?.base === "unrestricted";
    return openBubblewrapCall({
      plan: {
        ...(rules === undefined
          ? { mounts }
          : { root: rules.root, mounts: [...rules.mounts(mounts), ...(proxied ? ownNode : [])] }),
        network,
        cwd: command.workdir ?? command.cwd,
        env: command.env,
        newSession: command.terminal !== true,
        freshProc: bubblewrap.freshProc,
      },
      argv: command.argv,
      filter: isOpen
        ? openProgram()
        : this.#filter(proxied ? "proxied" : network ? "full" : "none"),
      channel: proxied,
      bindsDescriptors: bubblewrap.bindsDescriptors,
      dataDirectories: this.#dataDirectories(),
    });
  }

  #canResetSignals(): Promise<boolean> {
    this.#resetsSignals ??= new Promise((resolve) => {
      const [env, option] = resetSignals;
      execFile(env, [option, "true"], { env: {}, timeout: 500 }, (error) =>
        resolve(error === null),
      );
    });
    return this.#resetsSignals;
  }

  #filter(network: "none" | "proxied" | "full"): Buffer {
    const known = this.#filters.get(network);
    // Unix sockets would be a way around the proxy.
    const unixSockets = this.#options.allowUnixSockets === true && network === "full";
    const filter =
      known ?? seccompProgram(this.#options.table, { network: network !== "none", unixSockets });
    if (known === undefined) this.#filters.set(network, filter);
    return filter;
  }

  /**
   * Finds repositories below the user's roots; temporary directories are skipped, they contain no
   * work and change too fast.
   */
  async #nestedIn({ roots, warnings }: FoundRoots): Promise<string[]> {
    const nested: string[] = [];
    for (const { path, origin } of roots) {
      if (origin === "slash-tmp" || origin === "tmpdir") continue;
      const findings = await this.#nested.find(path);
      nested.push(...findings.paths);
      if (!findings.complete) {
        warnings.push(`${path} is large: repositories deep inside it may not be protected.`);
      }
    }
    if (nested.length > mostNested) {
      warnings.push(`Only ${mostNested} of ${nested.length} nested repositories are protected.`);
    }
    return nested.slice(0, mostNested);
  }

  #ownPlaceholders(): Placeholders {
    const { stateDir } = this.#options;
    const shared = this.#placeholders === undefined ? openSharedDirectory(stateDir) : undefined;
    this.#placeholders ??= new Placeholders({
      ...(shared === undefined ? {} : { shared }),
      kept: stateDir,
      id: randomUuid().slice(0, 8),
    });
    return this.#placeholders;
  }

  #dataDirectories(): string[] {
    return ["/dev/shm", this.#options.stateDir];
  }

  #unseen(warnings: readonly string[]): string[] {
    const fresh = warnings.filter((warning) => !this.#warned.has(warning));
    for (const warning of fresh) this.#warned.add(warning);
    return fresh;
  }
}

/** Limits the memory of a program, and writes no dump if it crashes. */
function limited(memoryMb: number): readonly string[] {
  const script = 'ulimit -d "$1" && ulimit -c 0 && shift && exec "$@"';
  return ["-c", script, "sh", String(memoryMb * 1024)];
}

/**
 * With a terminal, bubblewrap is started ignoring SIGINT; otherwise the first one would end it and
 * the command. This restores the default signals for the command; older systems cannot.
 */
const resetSignals = ["/usr/bin/env", "--default-signal=INT,QUIT"] as const;

/** The hand-over to our proxy runs this program, which rules may not let commands read. */
const ownNode: readonly Mount[] = [{ as: "read", path: process.execPath }];

const laterMounts =
  "What the host mounts while a command runs is writable for it: unshare is missing or not permitted here.";

const hostProcesses =
  "Commands see the names of processes outside of the sandbox: no new /proc can be mounted here.";

/**
 * Shared temporary directories are not watched: they contain no work, and their entries change all
 * the time.
 */
function worthWatching({ roots, readOnly, absent, startup }: Confinement): string[] {
  const origins = new Map(roots.map(({ path, origin }) => [path, origin]));
  return [...readOnly, ...absent].filter((path) => {
    // An editor replaces the files it saves; users may edit their own files.
    if (startup.includes(path)) return false;
    const root = ancestors(dirname(path)).find((directory) => origins.has(directory));
    const origin = origins.get(root ?? "");
    return origin !== "slash-tmp" && origin !== "tmpdir";
  });
}

/** Start-up files for which nothing can stand: a command that creates one is ended. */
function unheldIn({ absent, placeholders }: Confinement): string[] {
  return absent.filter(
    (path) =>
      placeholders.has(path) &&
      placeholders.get(path) === undefined &&
      entryAt(dirname(path)) !== undefined &&
      entryAt(path) === undefined,
  );
}

/** Each one adds a fraction of a millisecond to every command. */
const mostNested = 64;
