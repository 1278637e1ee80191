import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RequestHandler, Router } from 'express';
import { PACKAGE_ROOT } from '../http/release.js';
import { route, strictRouter } from '../http/route.js';
import { jsonHeaders } from '../http/send.js';
import { sendPacked } from '../http/send-compressed.js';

const FOLDER = path.join(PACKAGE_ROOT, 'server', 'site');

/** A file of every page, under a name that changes with its bytes. */
type Asset = { path: string; type: string; bytes: Buffer };

function asset(name: string, type: string, files: readonly string[]): Asset {
  const read = files.map((file) => readFileSync(path.join(FOLDER, file)));
  const bytes = Buffer.concat(read);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const { name: stem, ext } = path.parse(name);
  return { path: `/${stem}-${hash}${ext}`, type, bytes };
}

/** Later parts build on earlier ones. */
const STYLES = [
  'base',
  'frame',
  'words',
  'lists',
  'panels',
  'forms',
  'messages',
  'polls',
  'documents',
  'media',
].map((part) => `style/${part}.css`);

export const STYLE = asset('style.css', 'text/css; charset=utf-8', STYLES);
export const ICON = asset('icon.svg', 'image/svg+xml', ['icon.svg']);

/** A file under its hashed name, kept by browsers for a year. */
function file({ bytes, type }: Asset): RequestHandler {
  return (req, res) => {
    sendPacked(req, res, bytes, { type, cache: 'immutable' });
  };
}

/** Files of pages: part of a read that is counted already. */
export function assetsRouter(): Router {
  const router = strictRouter();
  for (const asset of [STYLE, ICON]) {
    route(router, asset.path, { get: [jsonHeaders(), file(asset)] });
  }
  return router;
}
