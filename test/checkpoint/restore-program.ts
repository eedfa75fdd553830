import { appendFileSync, readFileSync } from "node:fs";
import { BlobStore, restoreFiles } from "../../src/checkpoint/index.js";

/** Makes the steps of a file, for tests that kill it on the way. */
const [storeFolder = "", file = "", log = ""] = process.argv.slice(2);
const store = new BlobStore(storeFolder);
const { id, steps } = JSON.parse(readFileSync(file, "utf8"));
process.stdout.write("ready\n");
await restoreFiles({
  storeFolder,
  store,
  id,
  log,
  steps,
  commit: () => appendFileSync(log, `${id}\n`),
});
process.stdout.write("done\n");
