/** Creates a function that replaces secrets in a text: the given ones, and those known by their form. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  // Short values could be words of any text.
  const long = secrets.filter((secret) => secret.length >= 8);
  // One secret may be the start of another, of which the rest would stay.
  const spellings = [...new Set(long.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const spelling of spellings) redacted = redacted.replaceAll(spelling, mark);
    return redacted.replace(tokenPattern, mark);
  };
}

/** Returns a secret as it is in plain text, in JSON, and in JSON that is a text in JSON. */
function spellingsOf(secret: string): string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  return [secret, inJson(secret), inJson(inJson(secret))];
}

/** Returns the values of variables with names of secrets. */
export function variableSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined ? [value] : [],
  );
}

/** Returns the credentials in the headers of a request. */
export function headerSecrets(headers: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    /authorization|key|token|secret|account|cookie|password/i.test(name)
      ? [String(value).replace(/^(Bearer|Basic) /, "")]
      : [],
  );
}

/** Returns the credentials in a URL: its user and password, and parameters with names of secrets. */
export function urlSecrets(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, searchParams } = new URL(url);
  return [
    ...[username, password].flatMap((text) => [text, unescaped(text)]),
    ...[...searchParams].flatMap(([name, value]) => (secretName.test(name) ? [value] : [])),
  ];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a URL without the parts that can contain credentials: the user, the password and the query. */
export function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

const mark = "[REDACTED]";

const secretName = /KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|OTLP_.*HEADERS/i;

/** Keys and tokens that are known by their form. */
const tokenPattern =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,})/g;
