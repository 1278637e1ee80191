#!/usr/bin/env node
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import './supported-node.js';

// Committed as it is, so that the command exists before any build.
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const main = path.join(root, 'dist', 'node', 'main.js');

if (existsSync(main)) {
  await import(pathToFileURL(main).href);
} else {
  process.stderr.write(
    `reserve-board: nothing is built yet; run "npm ci && npm run build" in ${root} first (npm start builds by itself).\n`,
  );
  process.exitCode = 1;
}
