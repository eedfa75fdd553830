import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import { invalidParams } from "./errors.js";

/** Converts a prompt of the editor to user input. Texts, links and embedded files become one text. */
export function toInput(blocks: readonly ContentBlock[]): UserInput[] {
  const input = blocks.flatMap(toParts);
  if (input.length === 0)
    throw invalidParams("`prompt` is empty: send at least one content block.");
  return joinTexts(input);
}

function toParts(block: ContentBlock): UserInput[] {
  switch (block.type) {
    case "text":
      return [text(block.text)];
    case "image":
      return [{ type: "image", url: `data:${block.mimeType};base64,${block.data}` }];
    case "resource_link":
      return [text(linkTo(block.uri, block.title ?? block.name))];
    case "resource":
      return fromResource(block.resource);
    default:
      throw invalidParams(
        `Content of type ${JSON.stringify(block.type)} is not supported: send text, images or resources.`,
      );
  }
}

type Resource = Extract<ContentBlock, { type: "resource" }>["resource"];

function fromResource(resource: Resource): UserInput[] {
  const { uri, mimeType } = resource;
  if ("text" in resource) {
    return [text(`\n<file uri="${uri.replaceAll('"', "%22")}">\n${resource.text}\n</file>\n`)];
  }
  if (mimeType?.startsWith("image/")) {
    return [text(linkTo(uri)), { type: "image", url: `data:${mimeType};base64,${resource.blob}` }];
  }
  return [text(`${linkTo(uri)} (binary, not included)`)];
}

/** Writes a link to a file so that the model can open it: with its path, if it is a local one. */
function linkTo(uri: string, name = uri.split("/").at(-1) ?? uri): string {
  return `[@${name}](${toPath(uri) ?? uri})`;
}

/** Returns the path of a `file:` URI, with the lines of its fragment. */
function toPath(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  const [file = uri, fragment] = uri.split("#");
  try {
    return fileURLToPath(file) + (fragment === undefined ? "" : `#${fragment}`);
  } catch {
    return undefined;
  }
}

function text(value: string): UserInput {
  return { type: "text", text: value };
}

/** Editors split a message at its mentions; the model gets it as the user wrote it. */
function joinTexts(input: readonly UserInput[]): UserInput[] {
  const joined: UserInput[] = [];
  for (const part of input) {
    const last = joined.at(-1);
    if (part.type === "text" && last?.type === "text") {
      joined[joined.length - 1] = text(last.text + part.text);
    } else {
      joined.push(part);
    }
  }
  return joined;
}

/** Converts recorded user input back to content blocks. */
export function toBlocks(content: readonly UserInput[]): ContentBlock[] {
  return content.map((part): ContentBlock => {
    if (part.type === "text") return part.text === "" ? hidden : { type: "text", text: part.text };
    if (part.type === "image") return fromDataUrl(part.url);
    const path = part.path;
    if (part.type === "localImage") return { type: "text", text: `[@image](${path})` };
    return { type: "text", text: `[@${part.name}](${path})` };
  });
}

const hidden: ContentBlock = { type: "text", text: "" };

function fromDataUrl(url: string): ContentBlock {
  const found = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  if (found === null) return { type: "text", text: `[@image](${url.slice(0, 200)})` };
  return { type: "image", mimeType: found[1] ?? "", data: found[2] ?? "" };
}
