import { codexHome } from "../../../config/index.js";
import { CodexError } from "../../../protocol/error.js";
import { type CommandIo, defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { columnLines, dateText } from "../../print.js";
import { webStore } from "./running-server.js";

/** Lists the devices that are paired with the servers of this home. */
export const webDevices = defineCommand({
  name: "web devices",
  summary: "List and revoke paired devices",
  mostOperands: 0,
  verbs: [
    {
      name: "revoke",
      summary: "Revoke a device and close its connections",
      load: async () => webDevicesRevoke,
    },
  ],
  options: { json: { type: "boolean", help: "Print the devices as JSON" } },
  async run({ values }, io) {
    const devices = (await devicesOf(io)).list();
    if (values.json) {
      io.stdout.write(`${JSON.stringify(devices, null, 2)}\n`);
      return exitCodes.ok;
    }
    const rows = devices.map(({ id, name, created, lastSeen }) => [
      id,
      dateText(Date.parse(created)),
      dateText(Date.parse(lastSeen)),
      name,
    ]);
    const lines = columnLines([["Id", "Paired", "Last seen", "Name"], ...rows]);
    io.stdout.write(rows.length === 0 ? "No devices are paired.\n" : `${lines.join("\n")}\n`);
    return exitCodes.ok;
  },
});

const webDevicesRevoke = defineCommand({
  name: "web devices revoke",
  summary: "Revoke a device and close its connections",
  operands: "ID",
  mostOperands: 1,
  options: {},
  details: "`quire web devices` lists the ids.",
  async run({ positionals: [id] }, io) {
    if (id === undefined) throw new UsageError("Expected the ID of a device (got none)");
    if (!(await devicesOf(io)).revoke(id)) {
      throw new CodexError("invalid_request", `No device ${id}: \`quire web devices\` lists them`);
    }
    io.stdout.write(`Revoked ${id}\n`);
    return exitCodes.ok;
  },
});

async function devicesOf({ env }: CommandIo) {
  const { Devices } = await import("../../../transport/web/devices.js");
  return new Devices(webStore(codexHome(env)));
}
