/** Returns the reason that a name of the model cannot be that of an agent; undefined if it can. */
export function problemOfName(name: string): string | undefined {
  if (name.includes("/")) return "agent_name must not contain `/`";
  if (!/^[a-z0-9_]+$/.test(name)) {
    return "agent_name must use only lowercase letters, digits, and underscores";
  }
  return name === "root" ? "agent_name `root` is reserved" : undefined;
}

/** Returns the path that a target of the model means: absolute, or below the agent that names it. */
export function toAgentPath(target: string, from: string): string {
  return target.startsWith("/") ? target : `${from}/${target}`;
}

/** Returns true if a path is that of an agent or below it. */
export function isBelow(path: string, prefix: string): boolean {
  return prefix === "/" || path === prefix || path.startsWith(`${prefix}/`);
}

/** Returns true if a path has the form of one in a tree. */
export function isAgentPath(path: string): boolean {
  return /^\/root(\/[a-z0-9_]+)*$/.test(path);
}
