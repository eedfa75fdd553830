import type { Config } from "../../config/index.js";
import type { V2Connection } from "./connection.js";

/** The settings for a thread's folder; without a thread, those of the server. */
export function configFor(connection: V2Connection, threadId: string | undefined): Promise<Config> {
  const { server } = connection;
  if (threadId === undefined) return server.config();
  const { cwd } = connection.thread(threadId).settings;
  return server.parts.loadConfig({ type: "configure_session", cwd });
}
