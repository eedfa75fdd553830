import { defineCommand } from "../command.js";
import { requireEra } from "../era.js";

/** The JSON-RPC server for editors and other programs. */
export const appServer = defineCommand({
  name: "app-server",
  summary: "Serve the JSON-RPC protocol to another program",
  options: {
    listen: {
      type: "string",
      value: "URL",
      default: "stdio://",
      help: "Where: stdio://, unix://PATH, tcp://HOST:PORT, ws://, h2:// or grpc://HOST:PORT",
    },
  },
  details: [
    "Each message is a JSON object; the first is `initialize` with `clientInfo`. On standard input",
    "and output the server ends with its input, elsewhere when it is interrupted.",
  ].join("\n"),
  async run({ values }, io) {
    const era = requireEra(io.env);
    const [{ serveListener }, { serveAppServer }] = await Promise.all([
      import("../../server/listener.js"),
      import("../../server/app-server/serve.js"),
    ]);
    await serveListener({ ...io, era, url: values.listen, serve: serveAppServer });
    return 0;
  },
});
