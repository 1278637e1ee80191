#!/usr/bin/env node
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './supported-node.js';
import { runBuilt } from './run-built.js';

// Committed as it is, so that the command exists before any build.
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const main = path.join(root, 'dist', 'node', 'main.js');

if (existsSync(main)) {
  await runBuilt(main);
} else {
  process.stderr.write(
    `reserve-board: nothing is built yet; run "npm ci && npm run build" in ${root} first (npm start builds by itself).\n`,
  );
  process.exitCode = 1;
}
