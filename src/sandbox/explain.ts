import { resolve } from "node:path";
import type { PermissionRules } from "../protocol/permission-rules.js";
import { decideConnection } from "./network/decide.js";
import { isWithin, realPlaceOf } from "./paths.js";
import type { ReadGuard } from "./read-guard.js";
import type { Decision, RuleAccess } from "./rules/access.js";
import type { WriteGuard } from "./write-guard.js";

/** A decision on one access. */
export interface ExplainedAccess {
  allowed: boolean;
  /** A sentence for people. */
  reason: string;
  /** The deciding rule: its key and file, or the sandbox mode or built-in profile that has it. */
  rule?: string;
}

/** Options for `AccessExplainer`. */
interface ExplainerOptions {
  rules: PermissionRules;
  access: RuleAccess;
  readGuard: ReadGuard | undefined;
  writeGuard: WriteGuard;
  /** Credentials, which confined commands cannot read. */
  hidden: readonly string[];
  cwd: string;
}

/** Explains what commands may do, by the decisions that the sandbox enforces. */
export class AccessExplainer {
  readonly #options: ExplainerOptions;

  constructor(options: ExplainerOptions) {
    this.#options = options;
  }

  read(named: string): ExplainedAccess {
    const { readGuard, hidden } = this.#options;
    const { path, real, decision } = this.#decide(named);
    const secret = hidden.find((one) => isWithin(real, realPlaceOf(one) ?? one));
    if (secret !== undefined) return denied(`${secret} holds credentials of the agent`);
    if (decision.access === "deny" || decision.access === "none") return refusal(decision);
    if (readGuard !== undefined && (!readGuard.mayRead(path) || readGuard.isDenied(path))) {
      return denied("it is another name of a denied file", decision);
    }
    return permission("readable", decision);
  }

  write(named: string): ExplainedAccess {
    const { readGuard, writeGuard } = this.#options;
    const { path, real, decision } = this.#decide(named);
    if (decision.access === "deny" || decision.access === "none") return refusal(decision);
    if (decision.access === "read") {
      return denied(`${decision.place ?? real} can only be read`, decision);
    }
    if (readGuard?.isDenied(path)) return denied("it is another name of a denied file", decision);
    const problem = writeGuard.check(real);
    if (problem !== undefined) {
      return denied(problem.replace(`${real} cannot be written: `, ""), decision);
    }
    return permission("writable", decision);
  }

  connect(host: string, port: number): ExplainedAccess {
    const { network } = this.#options.rules;
    const decision = decideConnection(network, host, port);
    const { rule } = decision;
    const origin = rule === undefined ? undefined : (network.origins?.[rule] ?? rule);
    const named = origin === undefined ? {} : { rule: origin };
    if (!decision.allowed) return { allowed: false, reason: decision.reason, ...named };
    const reason =
      network.domains === undefined ? "all hosts are allowed" : `${host} is an allowed domain`;
    return { allowed: true, reason, ...named };
  }

  /** Decides about the file behind a path, which need not exist. */
  #decide(named: string): { path: string; real: string; decision: Decision } {
    const { access, cwd } = this.#options;
    const path = resolve(cwd, named);
    const real = realPlaceOf(path) ?? path;
    // A link may be denied itself.
    const byName = access.of(path);
    return { path, real, decision: byName.access === "deny" ? byName : access.of(real) };
  }
}

function permission(what: string, decision: Decision): ExplainedAccess {
  const reason =
    decision.place === undefined ? `everything is ${what}` : `${decision.place} is ${what}`;
  return { allowed: true, reason, ...ruleOf(decision) };
}

function refusal(decision: Decision): ExplainedAccess {
  if (decision.access === "deny") return denied(`${decision.place ?? "it"} is denied`, decision);
  return denied("no rule permits it", decision);
}

function denied(reason: string, decision?: Decision): ExplainedAccess {
  return { allowed: false, reason, ...(decision === undefined ? {} : ruleOf(decision)) };
}

function ruleOf({ rule }: Decision): { rule?: string } {
  return rule?.origin === undefined ? {} : { rule: rule.origin };
}
