#!/usr/bin/env node
// `npm start`: builds what is missing or stale, then runs the board in this
// very process, so that signals reach it.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './supported-node.js';
import { runBuilt } from './run-built.js';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const main = path.join(root, 'dist', 'node', 'main.js');
const dashboard = path.join(root, 'dist', 'admin-ui', 'index.html');
const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const SOURCES = ['protocol', 'server', 'mesh', 'client'];
// Of the server the dashboard has words and roles, and types.
const DASHBOARD_SOURCES = [
  'admin-ui',
  'protocol',
  'server/dashboard/live/events.ts',
  'server/dashboard/notifications/words.ts',
  'server/dashboard/roles.ts',
  'server/db/live-events.ts',
  'server/db/states.ts',
  'mesh/peer-port.ts',
];
// The node holds its packages.
const SETTINGS = [
  'tsconfig.json',
  'vite.config.ts',
  'vite.client.ts',
  'package.json',
  'package-lock.json',
];

process.stderr.on('error', () => {}); // nobody reads it any more

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
    .filter(
      (entry) => entry.isDirectory() || /\.(tsx?|css|html)$/.test(entry.name),
    )
    .map((entry) => changed(path.join(target, entry.name)))
    .reduce((newest, time) => Math.max(newest, time), 0);
}

function isStale(product, sources) {
  if (!existsSync(product)) return true;
  const built = statSync(product).mtimeMs;
  const inputs = [...sources, ...SETTINGS].map((name) => path.join(root, name));
  return inputs.some((input) => changed(input) > built);
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs a tool of node_modules; its exit code, 1 when it cannot be started. */
function run(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['inherit', process.stderr, 'inherit'],
    });
    child.on('error', () => resolve(1)).on('exit', resolve);
  });
}

/** Packs what the configuration in this folder says; the exit code. */
async function pack(folder, product) {
  const begun = new Date();
  const code = await run([vite, 'build', '--logLevel', 'warn', folder]);
  // What changed meanwhile counts as newer.
  if (code === 0) utimesSync(product, begun, begun);
  return code;
}

async function build() {
  if (!isWritable(root)) {
    if (!existsSync(main)) {
      fail(
        `nothing is built yet, and ${root} cannot be written; run "npm ci && npm run build" there as its owner first.`,
      );
    }
    say(`${root} cannot be written: it runs as it was built.`);
    return;
  }
  if (!existsSync(vite)) {
    fail(
      `the build tool is missing, so nothing can be built; run "npm ci --include=dev" in ${root} first.`,
    );
  }
  say('building (first start, or changed sources) …');
  if ((await pack('.', main)) !== 0) {
    rmSync(main, { force: true }); // half a build must not pass for a whole one
    fail('the build failed; the lines above say where.');
  }
}

/**
 * The operators' pages. A board without them runs all the same, and `/admin`
 * says how they are built; a stale build is better than none.
 */
async function buildDashboard() {
  if (!isWritable(root)) return;
  if (!existsSync(vite)) {
    if (existsSync(dashboard)) return; // it came built
    say("the operators' dashboard is not built: its build tool is missing.");
    return;
  }
  say("building the operators' dashboard …");
  if ((await pack('admin-ui', dashboard)) !== 0) {
    say("the operators' dashboard could not be built; the board starts.");
  }
}

if (!existsSync(path.join(root, 'node_modules', 'commander'))) {
  fail(`the dependencies are missing; run "npm ci" in ${root} first.`);
}
if (isStale(main, SOURCES)) await build();
if (isStale(dashboard, DASHBOARD_SOURCES)) await buildDashboard();
process.argv.splice(2, 0, 'start');
await runBuilt(main);
