/**
 * Makes a CommonJS module that esbuild wrote export its values themselves, not functions that get them.
 *
 * `__export(exports,{a:()=>b});…` becomes `…exports.a=b;`: each use of a function that gets a value is a call
 * until V8 has optimized it, and each start would make hundreds of them. Modules that need each other
 * while they are made would find nothing; ours do no work then. What is exported must not be assigned
 * to later. A module that exports something else than names of its own stays as it is.
 */
export function toPlainExports(code) {
  const found = exported.exec(code);
  if (found === null) return code;
  const names = [...found[1].matchAll(/([\w$]+):\(\)=>([\w$]+)/g)];
  const assigned = names.map(([, name, value]) => `exports.${name}=${value};`).join("");
  const rest = code.replace(exported, () => "");
  return `${rest}${/[;}]$/.test(rest) ? "" : ";"}${assigned}`;
}

const exported = /__export\(exports,\{((?:[\w$]+:\(\)=>(?!import_)[\w$]+,?)+)\}\);/;
