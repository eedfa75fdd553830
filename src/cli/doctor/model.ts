import {
  type AuthStatus,
  authStatus,
  codexApiKey,
  openAuthStore,
  storedTokens,
} from "../../auth/index.js";
import type { Config, Environment } from "../../config/index.js";
import { errorText } from "../../lib/errors.js";
import { chooseAuth, HttpTransport, type ModelAuth, requestUrl } from "../../model/index.js";
import { statusText } from "../commands/login/status.js";
import { type Finding, failed, ok } from "./check.js";

/** Credentials for model requests. */
export interface SignIn {
  finding: Finding;
  auth: ModelAuth | undefined;
}

/** Checks the credentials for the model provider. */
export async function checkSignIn(config: Config, env: Environment): Promise<SignIn> {
  const { home, provider, cli_auth_credentials_store: mode } = config;
  const remedy =
    "Run `quire login` or `quire login --with-api-key`, or use a local model with --oss";
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
      return { finding: ok(`${provider.name} needs no login`), auth };
    }
    const token = codexApiKey(env);
    if (token !== undefined) return { finding: ok(byVariable), auth: { kind: "api_key", token } };
    return { finding: failed("not logged in", remedy), auth };
  } catch (error) {
    return { finding: failed(errorText(error), remedy), auth: undefined };
  }
}

const byVariable = "CODEX_API_KEY (used by `quire exec` and the library only); not logged in";

function howSignedIn(byLogin: boolean, status: AuthStatus | undefined): string {
  if (!byLogin) return "API key from the provider's environment variable";
  return status === undefined ? "API key from the environment" : statusText(status);
}

/**
 * Checks that the model provider responds.
 *
 * Sends an empty request, which starts no model and costs nothing: a rejection of the empty body shows
 * that address and credentials work.
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
    const network = "Check the network, the provider's base_url, HTTPS_PROXY and SSL_CERT_FILE";
    return failed(`${host} does not respond: ${errorText(error)}`, network);
  } finally {
    transport.close();
  }
}

const patienceMs = 5_000;

function findingOf(status: number, what: string): Finding {
  if (status === 401 || status === 403) {
    return failed(
      `${what} rejects the credentials (${status})`,
      "Run `quire login` again, or use another key",
    );
  }
  if (status === 404) {
    return failed(
      `${what} has no Responses API (404)`,
      "Check the provider's base_url and wire_api",
    );
  }
  if (status >= 500) return failed(`${what} has a server error (${status})`, "Try again later");
  return ok(`${what} responds`);
}
