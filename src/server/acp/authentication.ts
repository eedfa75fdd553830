import type { AuthMethod, ClientCapabilities } from "@agentclientprotocol/sdk";
import { openBrowser } from "../../auth/index.js";
import type { Environment } from "../../config/index.js";
import { createDeferred } from "../../lib/async.js";
import type { AppServer } from "./app-server.js";
import { invalidParams, loginRequired } from "./errors.js";

const ids = { chatgpt: "chatgpt", apiKey: "api-key", terminal: "login" } as const;
const keyVariables = ["CODEX_API_KEY", "OPENAI_API_KEY"] as const;

/** Returns the ways to sign in. `login` in a terminal is offered to editors that can show one. */
export function authMethods({ auth }: ClientCapabilities): AuthMethod[] {
  return [
    {
      id: ids.chatgpt,
      name: "Sign in with ChatGPT",
      description: "Opens a browser",
    },
    {
      id: ids.apiKey,
      name: "Use an API key",
      description: `Stores the key in the environment variable ${keyVariables.join(" or ")}`,
    },
    ...(auth?.terminal === true
      ? [
          {
            type: "terminal" as const,
            id: ids.terminal,
            name: "Sign in in a terminal",
            description: "Asks for a way to sign in",
            args: ["--login"],
          },
        ]
      : []),
  ];
}

/** Signs in; rejects with the reason if that fails. */
export async function authenticate(
  methodId: string,
  appServer: AppServer,
  env: Environment,
  signal: AbortSignal,
): Promise<void> {
  if (methodId === ids.chatgpt) return signInWithBrowser(appServer, env, signal);
  if (methodId !== ids.apiKey) {
    const known = [ids.chatgpt, ids.apiKey].map((id) => JSON.stringify(id)).join(", ");
    throw invalidParams(
      `Expected \`methodId\` to be one of ${known} (got ${JSON.stringify(methodId)})`,
    );
  }
  const apiKey = keyVariables.map((name) => env[name]).find(Boolean);
  if (apiKey === undefined) {
    throw invalidParams(
      `There is no API key: set ${keyVariables.join(" or ")} in the environment of the editor.`,
    );
  }
  await appServer.request("account/login/start", { type: "apiKey", apiKey });
}

async function signInWithBrowser(
  appServer: AppServer,
  env: Environment,
  signal: AbortSignal,
): Promise<void> {
  const completed = createDeferred<{ success: boolean; error: string | null }>();
  let loginId: string | undefined;
  const stop = appServer.onNotification(({ method, params }) => {
    if (method === "account/login/completed" && params.loginId === loginId)
      completed.resolve(params);
  });
  const started = await appServer.request("account/login/start", { type: "chatgpt" });
  if (started.type !== "chatgpt") throw new Error("the server returned no sign-in URL");
  loginId = started.loginId;
  const cancel = () => completed.resolve({ success: false, error: "cancelled" });
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (!(await openBrowser(started.authUrl, { platform: process.platform, env }))) {
      throw new Error(
        "no browser was found: run the command `login` of this program in a terminal",
      );
    }
    const { success, error } = await completed.promise;
    if (!success) throw new Error(`The sign-in failed: ${error ?? "unknown reason"}`);
  } catch (error) {
    await appServer.request("account/login/cancel", { loginId }).catch(() => undefined);
    throw error;
  } finally {
    stop();
    signal.removeEventListener("abort", cancel);
  }
}

/** Throws if the model provider needs a login and there is none. */
export async function requireLogin(appServer: AppServer): Promise<void> {
  const { account, requiresOpenaiAuth } = await appServer.request("account/read", {});
  if (requiresOpenaiAuth && account === null) throw loginRequired();
}
