import type { ConfigDialect } from "../dialect.js";
import type { Environment } from "../home.js";
import type { TrustLevel } from "../project/trust.js";
import type { ConfigToml } from "../schema/config-toml.js";

/** What settings are resolved from besides themselves. */
export interface ResolveContext {
  env: Environment;
  home: string;
  dialect: ConfigDialect;
  trust: TrustLevel | undefined;
  /** Folders that can be written for this session only. */
  writableRoots: readonly string[];
  /** The settings without those of projects. */
  ownValues: ConfigToml;
  /** Where a setting stands, as the user is told. */
  placeOf(path: readonly string[]): string;
  warn(message: string): void;
}
