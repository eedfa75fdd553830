// Program that runs a session whose token is rejected; tests run several at once.
import { once } from "node:events";
import { postDirectly } from "../../src/auth/http.js";
import { issuerOf, TokenSource } from "../../src/auth/index.js";
import { fileStore } from "../../src/auth/store.js";
import { systemClock } from "../../src/lib/clock.js";

const [home = "", url = ""] = process.argv.slice(2);
const source = new TokenSource({
  home,
  store: fileStore(home),
  issuer: issuerOf({}, { url }),
  http: postDirectly,
  clock: systemClock,
  env: {},
});
const before = await source.current();
process.stdout.write("ready\n");
await once(process.stdin, "data");
const renewed = await source.refresh();
const after = await source.current();
process.stdout.write(
  `${JSON.stringify({ before: before?.token, renewed, after: after?.token })}\n`,
);
process.stdin.destroy();
