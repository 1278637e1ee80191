import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The module of a worker thread with this code. The loader of tests takes no `data:` URLs. */
export function workerOf(code: string): URL {
  const file = path.join(
    mkdtempSync(path.join(os.tmpdir(), 'worker-')),
    'w.mjs',
  );
  writeFileSync(file, code);
  return pathToFileURL(file);
}
