/**
 * Makes a CommonJS module from esbuild export plain values instead of getters.
 *
 * `__export(exports,{a:()=>b});…` becomes `…exports.a=b;`: each use of a getter is a call until V8
 * has optimized it, and every start would make hundreds of them. Two conditions hold in `src/`:
 * modules do not use each other while they load, and exports are never reassigned. A module that
 * exports anything but its own names is unchanged.
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
