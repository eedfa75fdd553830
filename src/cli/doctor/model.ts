import {
  type AuthStatus,
  authStatus,
  codexApiKey,
  openAuthStore,
  storedTokens,
} from "../../auth/index.js";
import type { Config, Environment } from "../../config/index.js";
import { errorText } from "../../lib/errors.js";
import { HttpTransport, type ModelAuth } from "../../model/index.js";
import { chooseAuth, requestUrl } from "../../model/request-target.js";
import { statusText } from "../commands/login/status.js";
import { type Finding, failed, ok } from "./check.js";

/** How the model is asked: with which key, if any. */
export interface SignIn {
  finding: Finding;
  auth: ModelAuth | undefined;
}

/** Whether there is what the model's server asks for. */
export async function checkSignIn(config: Config, env: Environment): Promise<SignIn> {
  const { home, provider, cli_auth_credentials_store: mode } = config;
  const remedy =
    "`quire login`, `quire login --with-api-key`, or --oss for a model of this machine";
  try {
    const store = await openAuthStore({ home, mode });
    const status = authStatus(await store.read());
    const source = storedTokens({ home, store, env });
    const chosen = await chooseAuth({ provider, env, source });
    if ("failure" in chosen) {
      return { finding: failed(chosen.failure.message, remedy), auth: undefined };
    }
    const { auth, byLogin } = chosen;
    if (auth !== undefined) return { finding: ok(howSignedIn(byLogin, status)), auth };
    if (!provider.requires_openai_auth) {
      return { finding: ok(`${provider.name} asks for no sign-in`), auth };
    }
    const token = codexApiKey(env);
    if (token !== undefined) return { finding: ok(byVariable), auth: { kind: "api_key", token } };
    return { finding: failed("nobody is signed in", remedy), auth };
  } catch (error) {
    return { finding: failed(errorText(error), remedy), auth: undefined };
  }
}

const byVariable = "CODEX_API_KEY, which `quire exec` and the library use; nobody is signed in";

function howSignedIn(byLogin: boolean, status: AuthStatus | undefined): string {
  if (!byLogin) return "a key from the variable that the provider names";
  return status === undefined ? "a key from the environment" : statusText(status);
}

/**
 * Whether the model's server answers.
 *
 * It is sent an empty request, which starts no model and costs nothing: that it is refused for being
 * empty shows that all else is well.
 */
export async function checkModel(
  { provider, model }: Config,
  auth: ModelAuth | undefined,
  env: Environment,
): Promise<Finding> {
  const url = requestUrl(provider, auth);
  const host = new URL(url).host;
  const transport = new HttpTransport(env);
  try {
    const headers = {
      "content-type": "application/json",
      ...(auth === undefined ? {} : { authorization: `Bearer ${auth.token}` }),
    };
    const request = { url, headers, body: Buffer.from("{}") };
    const answer = await transport.post(request, AbortSignal.timeout(patienceMs));
    answer.close();
    return findingOf(answer.status, `${host} (${model} of ${provider.name})`);
  } catch (error) {
    const network = "Check the network, base_url of the provider, HTTPS_PROXY and SSL_CERT_FILE";
    return failed(`${host} does not answer: ${errorText(error)}`, network);
  } finally {
    transport.close();
  }
}

const patienceMs = 5_000;

function findingOf(status: number, what: string): Finding {
  if (status === 401 || status === 403) {
    return failed(`${what} refuses the sign-in (${status})`, "`quire login` again, or another key");
  }
  if (status === 404) {
    return failed(
      `${what} has no Responses API (404)`,
      "Check base_url and wire_api of the provider",
    );
  }
  if (status >= 500) return failed(`${what} is in trouble (${status})`, "Try again later");
  return ok(`${what} answers`);
}
