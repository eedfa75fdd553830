import type {
  AppServer,
  ClientIdentity,
  EditorServices,
  ServeListenerOptions,
} from "../../server/index.js";
import type { Channel } from "../../transport/index.js";
import { defineCommand } from "../command.js";
import { configOptions, requireKnownKeys, toOverrides } from "../options/config-options.js";
import { serveAt } from "../serve-surface.js";
import { requireEnforceable } from "../user-config.js";

/** Runs the engine as an agent of an editor. */
export const acp = defineCommand({
  name: "acp",
  summary: "Run as an ACP agent for editors",
  mostOperands: 0,
  options: {
    login: { type: "boolean", help: "Log in and exit; editors use it to show a login terminal" },
    ...configOptions,
  },
  details: [
    "Speaks the Agent Client Protocol over standard input and output, for editors such as Zed,",
    "JetBrains IDEs, Neovim and Emacs. A session of the editor is a thread: it can be resumed in the",
    "terminal UI, and the other way round.",
  ].join("\n"),
  async run({ values }, io) {
    if (values.login) {
      const { loginInBrowser } = await import("./login/sign-in.js");
      return loginInBrowser(values, io);
    }
    const flags = await toOverrides(values);
    await requireEnforceable({ ...io, flags });
    if (values["strict-config"]) await requireKnownKeys({ env: io.env, cwd: io.cwd, flags });
    const editor: EditorServices = {};
    const buffers = (threadId: string) => editor.buffers?.(threadId);
    const terminals = (threadId: string) => editor.terminals?.(threadId);
    const listening = { url: "stdio://", access: {}, secretFiles: [], buffers, terminals };
    return serveAt(listening, flags, io, () => loadAcp(editor));
  },
});

/** Loads what serves an editor; without `editor`, threads do not use its files and terminals. */
export async function loadAcp(editor?: EditorServices): Promise<ServeListenerOptions["serve"]> {
  const [{ serveAcp }, { connectAppServer }] = await Promise.all([
    import("../../server/acp/serve.js"),
    import("../../client/index.js"),
  ]);
  // It requests no notifications besides those of v2.
  const connect = (channel: Channel, clientInfo: ClientIdentity) =>
    connectAppServer(channel, { clientInfo }) as Promise<AppServer>;
  return (channel, server) => serveAcp(channel, server, { connect, editor });
}
