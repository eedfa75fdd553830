import { checkInputItem } from "../checks/sqeq.generated.js";
import type { InputItem } from "../items/input.js";
import { assertValid } from "./problem.js";
import { isRecord, type JsonRecord, properFields, renameFields } from "./record.js";
import { spelled } from "./spelling.js";

/** Reads a part of what the user sends: plain, or with its fields under `data`. */
export function parseInputItem(value: unknown, name = "item"): InputItem {
  const item = toInputItem(value);
  assertValid(checkInputItem, item, name);
  return item as InputItem;
}

/** Brings a list of input items into the one form, unchecked. */
export function toInputItems(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toInputItem) : value;
}

function toInputItem(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const item = properFields(isRecord(value.data) ? withData(value, value.data) : value, fieldNames);
  item.type = spelled(kinds, item.type);
  if (item.type === "image") return renameFields(item, { url: "image_url" });
  if (Array.isArray(item.text_elements)) item.text_elements = item.text_elements.map(toElement);
  return item;
}

function withData({ data: _, ...plain }: JsonRecord, data: JsonRecord): JsonRecord {
  return { ...data, ...plain };
}

function toElement(value: unknown): unknown {
  return isRecord(value) ? properFields(value, { byteRange: "byte_range" }) : value;
}

const kinds: Record<string, InputItem["type"]> = {
  text: "text",
  image: "image",
  localimage: "local_image",
  skill: "skill",
  mention: "mention",
};

const fieldNames = { imageUrl: "image_url", textElements: "text_elements" };
