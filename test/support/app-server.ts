import { serveAppServer } from "../../src/server/app-server.js";
import {
  startTestServer,
  type TestClient,
  type TestServer,
  type TestServerOptions,
} from "./server.js";

/** Starts an app-server on a scripted model. */
export function startAppServer(
  options: Omit<TestServerOptions, "serve"> = {},
): Promise<TestServer> {
  return startTestServer({ ...options, serve: serveAppServer });
}

/** Sends `initialize` with the client's name and, if given, its capabilities. */
export async function initialize(client: TestClient, capabilities?: object): Promise<void> {
  const clientInfo = { name: "test", version: "1.0" };
  await client.call("initialize", { clientInfo, ...(capabilities && { capabilities }) });
}
