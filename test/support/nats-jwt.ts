import { createHash } from "node:crypto";
import { nkeys } from "@nats-io/transport-node";

/** Config of a server with an operator, and credentials as `nsc` writes them. */
export interface JwtAccount {
  config: string;
  /** Content of a `.creds` file. */
  credentials: string;
  /** The same, of an account that the server does not know. */
  otherCredentials: string;
}

/** Creates an operator, a system account, and an account with a user. */
export function createJwtAccount(): JwtAccount {
  const operator = nkeys.createOperator();
  const [system, account, unknown] = [1, 2, 3].map(() => nkeys.createAccount()) as [Key, Key, Key];
  const systemId = system.getPublicKey();
  const sign = (subject: Key, by: Key, nats: object) =>
    createJwt({ sub: subject.getPublicKey(), nats: { version: 2, ...nats } }, by);
  const operatorJwt = sign(operator, operator, { type: "operator", system_account: systemId });
  const systemJwt = sign(system, operator, { type: "account", limits: unlimited });
  const limits = { ...unlimited, mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const accountJwt = sign(account, operator, { type: "account", limits });
  const credentialsOf = (owner: Key) => {
    const user = nkeys.createUser();
    return toCredentials(
      sign(user, owner, { type: "user", subs: -1, data: -1, payload: -1 }),
      user,
    );
  };
  return {
    config: [
      `operator: ${operatorJwt}`,
      `system_account: ${systemId}`,
      "resolver: MEMORY",
      `resolver_preload: { ${systemId}: ${systemJwt}, ${account.getPublicKey()}: ${accountJwt} }`,
    ].join("\n"),
    credentials: credentialsOf(account),
    otherCredentials: credentialsOf(unknown),
  };
}

type Key = ReturnType<typeof nkeys.createAccount>;

const unlimited = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, conn: -1, leaf: -1 };

function createJwt(claims: object, key: Key): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const jti = createHash("sha256").update(JSON.stringify(claims)).digest("hex");
  const iat = Math.floor(Date.now() / 1000);
  const header = encode({ typ: "JWT", alg: "ed25519-nkey" });
  const text = `${header}.${encode({ jti, iat, iss: key.getPublicKey(), ...claims })}`;
  return `${text}.${Buffer.from(key.sign(Buffer.from(text))).toString("base64url")}`;
}

function toCredentials(jwt: string, user: Key): string {
  const seed = Buffer.from(user.getSeed()).toString();
  return [
    "-----BEGIN NATS USER JWT-----",
    jwt,
    "------END NATS USER JWT------",
    "-----BEGIN USER NKEY SEED-----",
    seed,
    "------END USER NKEY SEED------",
    "",
  ].join("\n");
}
