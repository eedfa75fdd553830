import { codexHome } from "../../../config/index.js";
import { type StoredFile, walkStoredFiles } from "../../../rollout/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { bytesText, columnLines, dateText } from "../../print.js";

/** How much room conversations take, and which take most. */
export const sessionsDu = defineCommand({
  name: "sessions du",
  summary: "Say how much room they take",
  options: { json: { type: "boolean", help: "Write it as JSON" } },
  async run({ values }, io) {
    const use = new DiskUse();
    for await (const file of walkStoredFiles(codexHome(io.env))) use.add(file);
    io.stdout.write(values.json ? `${JSON.stringify(use.toJson(), null, 2)}\n` : use.toText());
    return exitCodes.ok;
  },
});

/** Adds files up; of the files themselves only the largest are kept. */
class DiskUse {
  readonly #active = { sessions: 0, bytes: 0 };
  readonly #archived = { sessions: 0, bytes: 0 };
  #largest: StoredFile[] = [];

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
    return { active: this.#active, archived: this.#archived, total, largest: this.#largest };
  }

  toText(): string {
    const { active, archived, total, largest } = this.toJson();
    const rows = Object.entries({ active, archived, total }).map(([name, { sessions, bytes }]) => [
      name,
      String(sessions),
      bytesText(bytes),
    ]);
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
