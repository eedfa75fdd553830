/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value without blanks around it; nothing when it is unset or blank. */
export function variable(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
