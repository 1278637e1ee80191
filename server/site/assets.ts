import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RequestHandler, Router } from 'express';
import { PACKAGE_ROOT } from '../http/release.js';
import { route, strictRouter } from '../http/route.js';
import { jsonHeaders } from '../http/send.js';
import { sendPacked } from '../http/send-compressed.js';

const FOLDER = path.join(PACKAGE_ROOT, 'server', 'site');

/** Its name changes with its bytes. */
type Asset = { path: string; type: string; bytes: Buffer };

type NamedAsset = Asset & { id: string };

function asset(name: string, type: string, files: readonly string[]): Asset {
  const read = files.map((file) => readFileSync(path.join(FOLDER, file)));
  const bytes = Buffer.concat(read);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const { name: stem, ext } = path.parse(name);
  return { path: `/${stem}-${hash}${ext}`, type, bytes };
}

/** Later parts build on earlier ones. */
const STYLES = [
  'look',
  'base',
  'frame',
  'words',
  'lists',
  'panels',
  'forms',
  'messages',
  'bodies',
  'polls',
  'documents',
  'media',
].map((part) => `style/${part}.css`);

export const STYLE = asset('style.css', 'text/css; charset=utf-8', STYLES);
export const ICON = asset('icon.svg', 'image/svg+xml', ['icon.svg']);

export const FEED_STYLE = asset('feed.css', 'text/css; charset=utf-8', [
  'style/feed.css',
]);
/** Programs ask for this name without reading a page. */
const FAVICON: Asset = {
  ...asset('favicon.ico', 'image/x-icon', ['favicon.ico']),
  path: '/favicon.ico',
};

/** Cached for a year where its name is hashed. */
function file({ bytes, type, path: at }: Asset): RequestHandler {
  const cache = at === FAVICON.path ? 'revalidate' : 'immutable';
  return (req, res) => {
    sendPacked(req, res, bytes, { type, cache });
  };
}

export const ASSETS: readonly NamedAsset[] = [
  { id: 'loadStyle', ...STYLE },
  { id: 'loadFeedStyle', ...FEED_STYLE },
  { id: 'loadIcon', ...ICON },
  { id: 'loadFavicon', ...FAVICON },
];

/** Not counted as reads. */
export function assetsRouter(): Router {
  const router = strictRouter();
  for (const asset of ASSETS) {
    route(router, asset.path, { get: [jsonHeaders(), file(asset)] });
  }
  return router;
}
