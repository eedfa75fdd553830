/**
 * Entries of the home folder that hold secrets: our credentials and those of the reference.
 *
 * @internal
 */
export const homeSecrets = {
  login: "auth.json",
  mcpLogins: "mcp-oauth",
  mcpCredentials: ".credentials.json",
} as const;
