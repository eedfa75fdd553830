/** Entries of the home that hold secrets: sign-ins of ours, and those that the reference stores. */
export const homeSecrets = {
  login: "auth.json",
  mcpLogins: "mcp-oauth",
  mcpCredentials: ".credentials.json",
} as const;
