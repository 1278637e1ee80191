// Seeds a board of its own and takes the pictures of docs/screenshots: every
// page on a phone and a desktop, light and dark. `node scripts/screenshots.js
// [name…|all]`; SCREENSHOTS names another folder.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register();
const { takeScreenshots } = await import('../test/browser/pages-pictures.ts');
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = process.env.SCREENSHOTS ?? path.join(root, 'docs/screenshots');
mkdirSync(folder, { recursive: true });
await takeScreenshots(folder, process.argv.slice(2));
process.exit();
