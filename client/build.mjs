// Bundles the client into the library and records what it was built from.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.env.MOTIONLOOM_BUNDLE ?? join(here, "../src/motionloom/view/client");

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Every file that the bundle is made of, in a fixed order. */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sources(path) : [path];
    })
    .sort();
}

mkdirSync(out, { recursive: true });
await build({
  entryPoints: { studio: join(here, "src/main.ts"), style: join(here, "src/style.css") },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
});
copyFileSync(join(here, "src/index.html"), join(out, "index.html"));
copyFileSync(join(here, "NOTICE.txt"), join(out, "NOTICE.txt"));

const hash = createHash("sha256");
const own = ["NOTICE.txt", "build.mjs", "package-lock.json", "package.json"].map((name) => join(here, name));
const names = [...sources(join(here, "src")), ...own].map((path) => relative(here, path).replaceAll("\\", "/"));
for (const name of names.sort()) {
  hash.update(`${name}\n`);
  hash.update(readFileSync(join(here, name)));
}
const files = ["NOTICE.txt", "index.html", "studio.js", "style.css"];
const facts = {
  source_sha256: hash.digest("hex"),
  files: Object.fromEntries(files.map((name) => [name, sha256(readFileSync(join(out, name)))])),
};
writeFileSync(join(out, "bundle.json"), `${JSON.stringify(facts, null, 2)}\n`);
