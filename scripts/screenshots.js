// Takes pictures. Without names: those of README.md, into docs/screenshots, of
// one community of three boards. With names, or `all`: the pages of the tests'
// furnished board at every width, light and dark, to judge them; the dashboard's
// names begin with `admin-`. SCREENSHOTS names another folder.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import '@oxc-node/core/register';

const { takeReadmePictures } = await import(
  '../test/browser/readme-pictures.ts'
);
const { takeScreenshots } = await import('../test/browser/pages-pictures.ts');
const { takeDashboardPictures } = await import(
  '../test/browser/dashboard-pictures.ts'
);
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = process.env.SCREENSHOTS ?? path.join(root, 'docs/screenshots');
mkdirSync(folder, { recursive: true });
const names = process.argv.slice(2);
const admin = names
  .filter((name) => name.startsWith('admin-') || name === 'all')
  .map((name) => name.replace('admin-', ''));
const pages = names.filter((name) => !name.startsWith('admin-'));
if (names.length === 0) await takeReadmePictures(folder);
if (pages.length > 0) await takeScreenshots(folder, pages);
if (admin.length > 0) await takeDashboardPictures(folder, admin);
process.exit();
