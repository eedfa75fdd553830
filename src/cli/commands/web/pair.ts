import { codexHome } from "../../../config/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { findServer, printPairingAddress, webStore } from "./running-server.js";

/** Prints a pairing address of the server that runs with this home. */
export const webPair = defineCommand({
  name: "web pair",
  summary: "Print a new pairing address of the running server",
  mostOperands: 0,
  options: {},
  details: "The code in the address works once and for ten minutes.",
  async run(_input, io) {
    const store = webStore(codexHome(io.env));
    await printPairingAddress(store, await findServer(store), io);
    return exitCodes.ok;
  },
});
