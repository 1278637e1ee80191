import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RequestHandler } from 'express';
import { BoardError } from '../errors.js';
import { sendPacked } from '../http/send-compressed.js';

/** One name: no folder, and nothing that begins with a dot. */
const NAME = /^[\w-][\w.-]*$/;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * GET /<name> → a file of `folder` that was built under a hashed name: kept
 * for ever by browsers and, packed once, by this process. 404 `not_found` for
 * anything else. They are public bytes alone: nothing here could be guessed by
 * its packed size.
 */
export function builtFiles(folder: string): RequestHandler {
  const kept = new Map<string, Buffer>();
  return async (req, res) => {
    const name = req.path.slice(1);
    const bytes =
      kept.get(name) ??
      (NAME.test(name)
        ? await readFile(path.join(folder, name)).catch(() => null)
        : null);
    if (bytes === null) {
      throw new BoardError('not_found', 'There is nothing at this address.');
    }
    kept.set(name, bytes);
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    sendPacked(req, res, bytes, { type, cache: 'immutable', level: 9 });
  };
}
