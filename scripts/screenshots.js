// Takes pictures. Those of README.md, into docs/screenshots, of one community of
// three boards; with `all`, to judge them: the public pages of the tests'
// furnished board whole, at every width, and the dashboard of that community.
// SCREENSHOTS names another folder.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import '@oxc-node/core/register';

const { takeCommunity } = await import('../test/browser/readme-pictures.ts');
const { takePages } = await import('../test/browser/pages-pictures.ts');
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = process.env.SCREENSHOTS ?? path.join(root, 'docs/screenshots');
mkdirSync(folder, { recursive: true });
const isAll = process.argv[2] === 'all';
if (isAll) await takePages(folder);
await takeCommunity(folder, !isAll);
process.exit();
