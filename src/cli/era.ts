import { type Era, eraNamed } from "../compat/index.js";
import { readIdentity } from "./identity.js";
import { UsageError } from "./usage-error.js";

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
    `QUIRE_ERA is ${name}; it must be 0.39, 0.42, 0.45, 0.104 or 0.166 (the same goes for --era)`,
  );
}
