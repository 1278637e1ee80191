#!/usr/bin/env node
// `npm start`: builds what is missing or stale, then runs the board in this
// very process, so that signals reach it.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const main = path.join(root, 'dist', 'server', 'main.js');
const SOURCES = ['protocol', 'server', 'mesh', 'client', 'ormconfig.ts'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'package.json'];

function say(text) {
  process.stderr.write(`reserve-board: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

/** When the newest source below `target` changed; 0 without any. */
function changed(target) {
  if (!existsSync(target)) return 0;
  const found = statSync(target);
  if (!found.isDirectory()) return found.mtimeMs;
  return readdirSync(target, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /\.tsx?$/.test(entry.name))
    .map((entry) => changed(path.join(target, entry.name)))
    .reduce((newest, time) => Math.max(newest, time), 0);
}

function isStale() {
  if (!existsSync(main)) return true;
  const built = statSync(main).mtimeMs;
  const inputs = [...SOURCES, ...SETTINGS].map((name) => path.join(root, name));
  return inputs.some((input) => changed(input) > built);
}

async function build() {
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) {
    fail(
      `the TypeScript compiler is missing, so nothing can be built; run "npm ci --include=dev" in ${root} first.`,
    );
  }
  const begun = new Date();
  say('building (first start, or changed sources) …');
  const code = await new Promise((resolve) => {
    const args = [compiler, '-p', path.join(root, 'tsconfig.build.json')];
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
    });
    child.on('error', () => resolve(1)).on('exit', resolve);
  });
  if (code !== 0) {
    rmSync(main, { force: true }); // half a build must not pass for a whole one
    fail('the build failed; the lines above say where.');
  }
  utimesSync(main, begun, begun); // what changed meanwhile counts as newer
}

if (!existsSync(path.join(root, 'node_modules', 'commander'))) {
  fail(`the dependencies are missing; run "npm ci" in ${root} first.`);
}
if (isStale()) await build();
process.argv.splice(2, 0, 'start');
await import(pathToFileURL(main).href);
