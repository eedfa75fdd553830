import { join } from "node:path";
import { codexHome } from "../../../config/index.js";
import { type StoredFile, walkStoredFiles } from "../../../rollout/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { bytesText, columnLines, dateText } from "../../print.js";

/** Shows the disk usage of sessions, and the largest ones. */
export const sessionsDu = defineCommand({
  name: "sessions du",
  summary: "Show the disk usage of sessions",
  options: { json: { type: "boolean", help: "Print the usage as JSON" } },
  async run({ values }, io) {
    const use = new DiskUse();
    const home = codexHome(io.env);
    for await (const file of walkStoredFiles(home)) use.add(file);
    const { measureStore } = await import("../../../checkpoint/index.js");
    use.checkpoints = await measureStore(join(home, "checkpoints"));
    io.stdout.write(values.json ? `${JSON.stringify(use.toJson(), null, 2)}\n` : use.toText());
    return exitCodes.ok;
  },
});

/** Sums up file sizes; keeps only the largest files themselves. */
class DiskUse {
  readonly #active = { sessions: 0, bytes: 0 };
  readonly #archived = { sessions: 0, bytes: 0 };
  #largest: StoredFile[] = [];
  checkpoints = { blobs: 0, bytes: 0 };

  add(file: StoredFile): void {
    const sum = file.archived ? this.#archived : this.#active;
    sum.sessions++;
    sum.bytes += file.bytes;
    this.#largest.push(file);
    if (this.#largest.length > 4 * shown) this.#keepLargest();
  }

  toJson() {
    this.#keepLargest();
    const total = {
      sessions: this.#active.sessions + this.#archived.sessions,
      bytes: this.#active.bytes + this.#archived.bytes,
    };
    const { checkpoints } = this;
    const [active, archived, largest] = [this.#active, this.#archived, this.#largest];
    return { active, archived, total, checkpoints, largest };
  }

  toText(): string {
    const { active, archived, total, checkpoints, largest } = this.toJson();
    const rows = Object.entries({ active, archived, total }).map(([name, { sessions, bytes }]) => [
      name,
      String(sessions),
      bytesText(bytes),
    ]);
    rows.push(["checkpoints", "", bytesText(checkpoints.bytes)]);
    const files = largest.map(({ id, bytes, updatedAtMs }) => [
      bytesText(bytes),
      dateText(updatedAtMs),
      id,
    ]);
    const tables = [
      columnLines([["Place", "Sessions", "Size"], ...rows]),
      files.length === 0 ? [] : ["", ...columnLines([["Largest", "Updated", "Id"], ...files])],
    ];
    return `${tables.flat().join("\n")}\n`;
  }

  #keepLargest(): void {
    this.#largest = this.#largest.sort((a, b) => b.bytes - a.bytes).slice(0, shown);
  }
}

const shown = 5;
