import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns a CycloneDX list of the packages whose code is in the build.
 *
 * `npm sbom` cannot make it: the packages are bundled, so none of them is a dependency of ours. The serial number depends on
 * the contents alone, so that a build can be repeated.
 */
export function sbomText(root, folders) {
  const { name, version, license } = manifest(root);
  const components = [...new Map(folders.map((folder) => component(join(root, folder)))).values()];
  components.sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
  const ref = purl(name, version);
  const body = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "library",
        "bom-ref": ref,
        name,
        version,
        purl: ref,
        ...licensed(license),
      },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((one) => one["bom-ref"]) }],
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(body))}`;
  return `${JSON.stringify({ ...body, serialNumber }, null, 2)}\n`;
}

function component(folder) {
  const { name, version, license } = manifest(folder);
  const ref = purl(name, version);
  return [ref, { type: "library", "bom-ref": ref, name, version, purl: ref, ...licensed(license) }];
}

function licensed(license) {
  return {
    licenses: [
      / (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } },
    ],
  };
}

function purl(name, version) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** A UUID of version 8 (the format for values of one's own) from a hash. */
function uuidOf(text) {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
