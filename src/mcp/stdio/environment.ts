import type { StdioServerConfig } from "../server-config.js";

/** Variables that every server gets; others may be secrets that are none of its business. */
const usualVariables = [
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "USER",
  "__CF_USER_TEXT_ENCODING",
  "LANG",
  "LC_ALL",
  "TERM",
  "TMPDIR",
  "TZ",
];

/** The environment of a server's program: the usual variables, those it asks for, those configured. */
export function serverEnvironment(
  { env_vars = [], env = {} }: StdioServerConfig,
  ours: Readonly<NodeJS.ProcessEnv>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...usualVariables, ...env_vars]) {
    const value = ours[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...env };
}
