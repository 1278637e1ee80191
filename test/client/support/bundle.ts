import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { boardSource } from '../../../client/export/board-source.js';
import type { BundleSource } from '../../../client/export/bundle-source.js';
import { writeBundle } from '../../../client/export/write-bundle.js';
import { transport } from '../../../client/transport.js';
import type { TestBoard } from '../../support/board.js';
import { newFolder } from '../../support/run-folder.js';

/** The log of a board over HTTP, each request from another network. */
export function sourceOf(test: TestBoard): BundleSource {
  let asked = 0;
  const spread: typeof fetch = (input, init) => {
    asked += 1;
    const headers = { 'X-Forwarded-For': `10.0.${asked >> 8}.${asked & 255}` };
    return fetch(input, { ...init, headers });
  };
  const sleep = async (ms: number) => test.clock.advance(ms);
  const asking = transport(test.url, spread);
  return boardSource(asking, { sleep, random: () => 0 });
}

export async function withBundle<T>(
  source: BundleSource,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await newFolder();
  await writeBundle(folder, source);
  return await work(folder);
}

export async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, Buffer>();
  for (const entry of found) {
    if (entry.isDirectory()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, file), await readFile(file));
  }
  return files;
}

export async function withFile<T>(
  folder: string,
  name: string,
  bytes: Uint8Array | null,
  work: () => Promise<T>,
): Promise<T> {
  const file = path.join(folder, name);
  const before = await readFile(file);
  if (bytes === null) await rm(file);
  else await writeFile(file, bytes);
  try {
    return await work();
  } finally {
    await writeFile(file, before);
  }
}
