// Prepares a release: `node scripts/release.mjs VERSION` dates the section "unreleased" of the changelog, sets the version,
// commits and tags. `--check-tag TAG` only checks that a tag fits the package and the changelog, and `--set-repository URL` writes
// the repository into the packages for publishing; the release workflow runs both.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files with the version; both packages have the same one. */
const VERSIONED = ["package.json", "package-lock.json", "packages/conformance/package.json"];

const [first, second] = process.argv.slice(2);
if (first === "--check-tag") checkTag(second ?? "");
else if (first === "--set-repository") setRepository(second ?? "");
else release(first ?? "");

function release(version) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
    fail(`Expected a version such as 1.2.3 (got "${version}"): node scripts/release.mjs VERSION`);
  }
  if (git("status", "--porcelain") !== "")
    fail("The work tree has changes; commit or stash them first");
  if (git("branch", "--show-current") !== "main")
    fail("Releases are made on the branch main; check it out first");
  if (git("tag", "--list", `v${version}`) !== "")
    fail(`The tag v${version} exists; choose another version`);
  const dated = `## ${version} (${new Date().toISOString().slice(0, 10)})`;
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  if (!/^## .* \(unreleased\)$/m.test(changelog)) {
    fail(
      'CHANGELOG.md has no section "## VERSION (unreleased)"; add it with the changes of this version',
    );
  }
  writeFileSync("CHANGELOG.md", changelog.replace(/^## .* \(unreleased\)$/m, dated));
  for (const file of VERSIONED.filter((name) => existsSync(name))) setVersion(file, version);
  git("commit", "--all", "--message", `release: ${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `quire-agent ${version}`);
  console.log(`Tagged v${version}. Push it to publish: git push --follow-tags`);
}

function setVersion(file, version) {
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  manifest.version = version;
  if (manifest.packages !== undefined) manifest.packages[""].version = version;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** npm compares the repository with the one that the provenance statement names. */
function setRepository(url) {
  if (!/^https:\/\/[\w.-]+(:\d+)?(\/[\w.-]+){2,}$/.test(url)) {
    fail(`Expected a URL such as https://HOST/OWNER/NAME (got "${url}")`);
  }
  const plain = url.replace(/\.git$/, "");
  for (const directory of ["", "packages/conformance"]) {
    const file = join(directory, "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    const place = directory === "" ? {} : { directory };
    manifest.repository = { type: "git", url: `git+${plain}.git`, ...place };
    manifest.homepage = `${plain}#readme`;
    manifest.bugs = `${plain}/issues`;
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

function checkTag(tag) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  if (tag !== `v${version}`)
    fail(`The tag ${tag} does not fit the version ${version} in package.json`);
  if (!readFileSync("CHANGELOG.md", "utf8").includes(`\n## ${version} (2`)) {
    fail(`CHANGELOG.md has no dated section for ${version}`);
  }
}

function git(...args) {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
