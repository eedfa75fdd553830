import type { AppServerClient } from "../../client/index.js";
import { errorText } from "../../lib/errors.js";
import type { AccountLoginCompletedNotification } from "../../protocol/rpc/v2/account.js";
import type { TuiHost } from "../host.js";
import type { Notice } from "../state/cell.js";
import type { Ui } from "../ui.js";
import { saveSettings } from "./save-settings.js";
import type { ThreadRequest } from "./session.js";

/** Dependencies of {@link signIn}. */
export interface SignInParts {
  ui: Ui;
  server: AppServerClient;
  host: TuiHost;
  /** Prints a notice. */
  printNotice(text: string): void;
  /** Prints an error. */
  printError(text: string): void;
}

/** Result of a sign-in; undefined if the user canceled. */
export type SignedIn = { request: Partial<ThreadRequest>; notice?: Notice } | undefined;

const demoNotice: Notice = {
  level: "warning",
  text: "Demo: the answers are scripted. The commands and changes are real, in a temporary project.",
  hint: "Type anything, for example: fix the failing test",
};

/** Returns whether the server requires a sign-in. */
export async function needsSignIn(server: AppServerClient): Promise<boolean> {
  const { account, requiresOpenaiAuth } = await server.request("account/read", {});
  return requiresOpenaiAuth === true && account === null;
}

/** Lets the user choose a model provider, until one works; resolves with undefined on cancel. */
export async function signIn(parts: SignInParts): Promise<SignedIn> {
  const { ui, host } = parts;
  const ways: { value: () => Promise<SignedIn>; label: string; description: string }[] = [
    {
      value: () => byBrowser(parts),
      label: "Sign in with ChatGPT",
      description: "in a browser",
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
    ways.push({
      value: () => byLocalModel(parts, findLocalModel),
      label: "Use a local model",
      description: "Ollama, LM Studio, llama.cpp",
    });
  }
  if (startDemo !== undefined) {
    const value = async () => ({ request: await startDemo.call(host), notice: demoNotice });
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
      parts.printError(`Sign-in failed: ${errorText(error)}`);
    }
  }
}

/** Uses a local model, and saves it as the default. */
async function byLocalModel(
  { host, server, printNotice, printError }: SignInParts,
  findLocalModel: NonNullable<TuiHost["findLocalModel"]>,
): Promise<SignedIn> {
  const request = await findLocalModel.call(host);
  const { model, modelProvider, config } = request;
  const settings = { ...config, model, model_provider: modelProvider };
  await saveSettings(server, settings).then(
    () => printNotice(`Using ${model}. It is saved as your default model; /model changes it`),
    (error: unknown) => printError(`Could not save the model to config.toml: ${errorText(error)}`),
  );
  return { request };
}

async function byKey({ ui, server }: SignInParts): Promise<SignedIn> {
  const text = "Paste your API key. It is stored on this machine only.";
  const check = keyCheck();
  const answer = await ui.question({ title: "API key", text, isSecret: true, check });
  const apiKey = answer?.trim();
  if (!apiKey) return undefined;
  await server.request("account/login/start", { type: "apiKey", apiKey });
  return { request: {} };
}

/** Rejects an empty key; accepts an unusual one when it is submitted again. */
function keyCheck(): (text: string) => string | undefined {
  let questioned: string | undefined;
  return (text) => {
    const key = text.trim();
    if (key === "") return "The key is empty. Paste a key, or press esc to go back.";
    if (/\s/.test(key)) return "A key has no spaces. Paste it again, or press esc to go back.";
    if (key.startsWith("sk-") || key === questioned) return undefined;
    questioned = key;
    return "This does not look like an OpenAI API key: they start with `sk-`. Press enter again to use it anyway.";
  };
}

async function byBrowser(parts: SignInParts): Promise<SignedIn> {
  const started = await parts.server.request("account/login/start", { type: "chatgpt" });
  if (started.type !== "chatgpt") throw new Error("the server returned no sign-in URL");
  const { authUrl, loginId } = started;
  return waitForLogin(parts, loginId, `Open this URL in a browser to sign in:\n${authUrl}`);
}

async function byCode(parts: SignInParts): Promise<SignedIn> {
  const started = await parts.server.request("account/login/start", { type: "chatgptDeviceCode" });
  if (started.type !== "chatgptDeviceCode") throw new Error("the server returned no device code");
  const { loginId, verificationUrl, userCode } = started;
  const text = `Open this URL on any device and enter the code ${userCode}:\n${verificationUrl}`;
  return waitForLogin(parts, loginId, text);
}

/** Waits for the login to complete; cancels it if the user goes back. */
async function waitForLogin(
  { ui, server, printNotice }: SignInParts,
  loginId: string,
  text: string,
): Promise<SignedIn> {
  // Print it above the live lines, where the terminal wraps a long URL and it can be opened or
  // copied.
  printNotice(text);
  const over = new AbortController();
  const completed = new Promise<AccountLoginCompletedNotification>((resolve) => {
    const unsubscribe = server.onNotification((notification) => {
      if (
        notification.method !== "account/login/completed" ||
        notification.params.loginId !== loginId
      )
        return;
      unsubscribe();
      resolve(notification.params);
      over.abort();
    });
  });
  const choices = [{ value: "cancel", label: "Cancel" }];
  await ui.pick({ title: "Waiting for you to sign in…", choices }, over.signal);
  if (!over.signal.aborted) {
    await server.request("account/login/cancel", { loginId }).catch(() => undefined);
    return undefined;
  }
  const { success, error } = await completed;
  if (!success) throw new Error(error ?? "the login failed");
  return { request: {} };
}
