import core from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { ComponentChildren } from "preact";

const languages = {
  ...{ bash, c, cpp, css, diff, go, ini, java, javascript, json, markdown, python, ruby, rust },
  ...{ sql, typescript, xml, yaml },
};

/** Returns code with colors; as is if the language is not known. */
export function highlight(text: string, language: string): ComponentChildren {
  if (core.listLanguages().length === 0) {
    for (const [name, define] of Object.entries(languages)) core.registerLanguage(name, define);
  }
  if (core.getLanguage(language) === undefined) return text;
  const { _emitter } = core.highlight(text, { language, ignoreIllegals: true });
  const { rootNode } = _emitter as unknown as { rootNode: HighlightNode };
  return rootNode.children.map(toElement);
}

/** A node of the tree that highlight.js builds. */
interface HighlightNode {
  scope?: string;
  children: (HighlightNode | string)[];
}

function toElement(node: HighlightNode | string): ComponentChildren {
  if (typeof node === "string") return node;
  const [scope = ""] = (node.scope ?? "").split(".");
  return <span class={`hl-${scope}`}>{node.children.map(toElement)}</span>;
}
