import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  fileOf,
  type Manifest,
  sealOf,
} from '../../../../server/operations/backup/manifest.js';

/** Changes the manifest, sealed anew under `seed` if there is one. */
export async function edit(
  from: string,
  change: (text: string) => string,
  seed?: string,
): Promise<void> {
  const file = path.join(from, 'manifest.json');
  const text = change(await readFile(file, 'utf8'));
  await writeFile(file, text);
  if (seed === undefined) return;
  const seal = sealOf(Buffer.from(text), seed);
  await writeFile(path.join(from, 'manifest.hmac'), `${seal}\n`);
}

export async function forge(
  from: string,
  name: string,
  change: (text: string) => string,
  seed: string,
): Promise<void> {
  const file = fileOf(from, { name });
  const rows = change(gunzipSync(await readFile(file)).toString('utf8'));
  const bytes = gzipSync(rows);
  await writeFile(file, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await edit(
    from,
    (text) => {
      const manifest = JSON.parse(text) as Manifest;
      for (const table of manifest.tables) {
        if (table.name !== name) continue;
        Object.assign(table, { sha256, bytes: bytes.length });
      }
      return JSON.stringify(manifest);
    },
    seed,
  );
}
