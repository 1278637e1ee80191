// Writes lab/reports/sbom.json, the packages that run with the board, from
// package-lock.json; a test fails while the two differ.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import '@oxc-node/core/register';

const { sbomOf } = await import('./runtime-packages.ts');

const root = fileURLToPath(new URL('../../', import.meta.url));
const lock = await readFile(path.join(root, 'package-lock.json'), 'utf8');
const file = path.join(root, 'lab', 'reports', 'sbom.json');
await writeFile(file, sbomOf(JSON.parse(lock)));
