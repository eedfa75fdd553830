import { type Era, eraNamed } from "../compat/index.js";
import { programName } from "../lib/program-name.js";
import { UsageError } from "./exit-codes.js";

/** The program as others see it: its command, and the version of Codex that it claims to be. */
interface Identity {
  name: "quire" | "codex";
  /** Only if one was asked for; otherwise that of the era. */
  version?: string;
}

/** Returns the identity that `--as` or `QUIRE_AS` asks for; undefined if neither does. */
export function readIdentity({
  QUIRE_AS: text,
}: {
  QUIRE_AS?: string | undefined;
}): Identity | undefined {
  if (text === undefined || text === "") return undefined;
  if (text === "quire" || text === "codex") return { name: text };
  const version = /^codex@(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(text)?.[1];
  if (version !== undefined) return { name: "codex", version };
  throw new UsageError(
    `Expected QUIRE_AS or --as to be codex, codex@VERSION (as in codex@0.146.0) or quire (got ${JSON.stringify(text)})`,
  );
}

/** Returns the line that heads what people read; `version` is the era's, or the one it claims. */
export function productTitle(version: string): string {
  return programName() === "codex"
    ? `Codex ${version} (Quire)`
    : `Quire, compatible with Codex ${version}`;
}

/**
 * The era that `--era` or `QUIRE_ERA` asks for; without either every surface speaks its newest form.
 *
 * The program has put the option into `env` before a command sees it, and `--as` too, which may
 * name a version of Codex that stands on the wire in place of the era's.
 */
export function requireEra(env: Readonly<Record<string, string | undefined>>): Era {
  const name = env.QUIRE_ERA || "current";
  const era = eraNamed(name);
  if (era !== undefined) {
    const version = readIdentity(env)?.version;
    return version === undefined ? era : { ...era, compatibleWith: version };
  }
  throw new UsageError(
    `Expected --era or QUIRE_ERA to be one of 0.39, 0.42, 0.45, 0.104, 0.166 (got ${name})`,
  );
}
