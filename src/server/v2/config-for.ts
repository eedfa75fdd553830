import type { Config } from "../../config/index.js";
import type { Server } from "../server.js";

/** The settings for a thread's folder; without a thread, those of the server. */
export function configFor(server: Server, threadId: string | undefined): Promise<Config> {
  if (threadId === undefined) return server.config();
  const { cwd } = server.threads.get(threadId).configured;
  return server.parts.loadConfig({ type: "configure_session", ...(cwd == null ? {} : { cwd }) });
}
