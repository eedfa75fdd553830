import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import { type BrokerIdentity, type BrokerOptions, serversOf } from "../connection-options.js";

/** Returns servers, identity and certificates of a connection. The first server may have a user and a password. */
export function toConnectionOptions(
  url: string,
  { identity, tls }: BrokerOptions,
): ConnectionOptions {
  const servers = serversOf(url);
  const { protocol, username, password } = servers[0] as URL;
  const inAddress =
    username === ""
      ? undefined
      : { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  const given = identity ?? inAddress;
  return {
    servers: servers.map(({ host }) => host),
    ...(given === undefined ? {} : { authenticator: toAuthenticator(given) }),
    // Without certificates the client encrypts only if the server asks for it; `tls:` always does.
    ...(tls !== undefined || protocol === "tls:" ? { tls: { ...tls } } : {}),
  };
}

function toAuthenticator(identity: BrokerIdentity): Authenticator {
  if ("token" in identity) return tokenAuthenticator(identity.token);
  if ("creds" in identity) return credsAuthenticator(Buffer.from(identity.creds));
  if ("nkey" in identity) return nkeyAuthenticator(Buffer.from(identity.nkey.trim()));
  return usernamePasswordAuthenticator(identity.user, identity.password);
}
