import type { AppServerClient } from "../../client/index.js";
import { errorText } from "../../lib/error-text.js";
import type { AccountLoginCompletedNotification } from "../../protocol/rpc/v2/account.js";
import type { TuiHost } from "../host.js";
import type { Ui } from "../ui.js";
import type { ThreadRequest } from "./session.js";

/** What is needed to sign in. */
export interface SignInParts {
  ui: Ui;
  server: AppServerClient;
  host: TuiHost;
  say(text: string, hint?: string): void;
}

/** How it went: signed in, another model was chosen, or the user gave up. */
export type SignedIn = { request: Partial<ThreadRequest> } | undefined;

/** Does the server need a sign-in that it has not got? */
export async function needsSignIn(server: AppServerClient): Promise<boolean> {
  const { account, requiresOpenaiAuth } = await server.request("account/read", {});
  return requiresOpenaiAuth === true && account === null;
}

/** Lets the user choose where the model comes from, until one way works; nothing when they give up. */
export async function signIn(parts: SignInParts): Promise<SignedIn> {
  const { ui, host } = parts;
  const ways: { value: () => Promise<SignedIn>; label: string; description: string }[] = [
    {
      value: () => byBrowser(parts),
      label: "Sign in with ChatGPT",
      description: "opens a browser",
    },
    {
      value: () => byCode(parts),
      label: "Sign in with a device code",
      description: "if this machine has no browser",
    },
    { value: () => byKey(parts), label: "Use an API key", description: "pay per use" },
  ];
  const { findLocalModel, startDemo } = host;
  if (findLocalModel !== undefined) {
    const value = async () => ({ request: await findLocalModel.call(host) });
    ways.push({
      value,
      label: "Use a local model",
      description: "Ollama, LM Studio, llama.cpp",
    });
  }
  if (startDemo !== undefined) {
    const value = async () => ({ request: await startDemo.call(host) });
    ways.push({
      value,
      label: "Try the demo",
      description: "scripted answers: no key, no network",
    });
  }
  for (;;) {
    const way = await ui.pick({ title: "Which model do you want to use?", choices: ways });
    if (way === undefined) return undefined;
    try {
      const result = await way();
      if (result !== undefined) return result;
    } catch (error) {
      parts.say(`Sign-in failed: ${errorText(error)}`);
    }
  }
}

async function byKey({ ui, server }: SignInParts): Promise<SignedIn> {
  const apiKey = (await ui.question({ title: "API key", isSecret: true }))?.trim();
  if (!apiKey) return undefined;
  await server.request("account/login/start", { type: "apiKey", apiKey });
  return { request: {} };
}

async function byBrowser(parts: SignInParts): Promise<SignedIn> {
  const started = await parts.server.request("account/login/start", { type: "chatgpt" });
  if (started.type !== "chatgpt") throw new Error("the server returned no sign-in URL");
  const { authUrl, loginId } = started;
  return waitForLogin(parts, loginId, `Open this address to sign in:\n${authUrl}`);
}

async function byCode(parts: SignInParts): Promise<SignedIn> {
  const started = await parts.server.request("account/login/start", { type: "chatgptDeviceCode" });
  if (started.type !== "chatgptDeviceCode") throw new Error("the server returned no device code");
  const { loginId, verificationUrl, userCode } = started;
  return waitForLogin(parts, loginId, `Open ${verificationUrl} and enter the code ${userCode}`);
}

/** Waits for the server to say how it went; going back cancels the login. */
async function waitForLogin(
  { ui, server }: SignInParts,
  loginId: string,
  text: string,
): Promise<SignedIn> {
  const over = new AbortController();
  const completed = new Promise<AccountLoginCompletedNotification>((resolve) => {
    const unhear = server.onNotification((told) => {
      if (told.method !== "account/login/completed" || told.params.loginId !== loginId) return;
      unhear();
      resolve(told.params);
      over.abort();
    });
  });
  const choices = [{ value: "cancel", label: "Cancel" }];
  await ui.pick({ title: "Waiting for you to sign in", text, choices }, over.signal);
  if (!over.signal.aborted) {
    await server.request("account/login/cancel", { loginId }).catch(() => undefined);
    return undefined;
  }
  const { success, error } = await completed;
  if (!success) throw new Error(error ?? "the login failed");
  return { request: {} };
}
