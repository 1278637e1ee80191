// Seeds a board of its own and takes the pictures of docs/screenshots: every
// page on a phone and a desktop, light and dark. `node scripts/screenshots.js
// [name…|all]`, where the dashboard's names begin with `admin-`; SCREENSHOTS
// names another folder.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import '@oxc-node/core/register';

const { takeScreenshots } = await import('../test/browser/pages-pictures.ts');
const { takeDashboardPictures } = await import(
  '../test/browser/dashboard-pictures.ts'
);
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = process.env.SCREENSHOTS ?? path.join(root, 'docs/screenshots');
mkdirSync(folder, { recursive: true });
const names = process.argv.slice(2);
const admin = names.filter((name) => name.startsWith('admin-'));
const pages = names.filter((name) => !name.startsWith('admin-'));
if (names.length === 0 || pages.length > 0) {
  await takeScreenshots(folder, pages);
}
if (names.length === 0 || admin.length > 0) {
  const wanted = admin.map((name) => name.slice('admin-'.length));
  await takeDashboardPictures(folder, wanted);
}
process.exit();
