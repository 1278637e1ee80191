import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RequestHandler, Response } from 'express';
import { nullIfAway } from '../db/files.js';
import { BoardError } from '../errors.js';
import { PACKAGE_ROOT } from '../http/release.js';
import { strictRouter } from '../http/route.js';
import { HTML_TYPE, sendText } from '../http/send.js';
import { sendPacked } from '../http/send-compressed.js';

/** In index.html, for styles. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** The dashboard may use passkeys. */
const OWN_PASSKEYS = /\b(publickey-credentials-(?:create|get))=\(\)/g;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>The dashboard is not built</title>
</head>
<body>
<main>
<h1>The dashboard is not built</h1>
<p>The board runs; only its operators' pages are missing. Run
<code>npm run build</code> in the board's folder and load this page again.</p>
</main>
</body>
</html>
`;

export const BUILT_DASHBOARD = path.join(PACKAGE_ROOT, 'dist', 'admin-ui');

/** spec/operators.md §3 */
function dashboardPolicy(nonce: string): string {
  return `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'`;
}

function dress(res: Response, nonce: string): void {
  const features = String(res.getHeader('Permissions-Policy') ?? '');
  res.setHeader(
    'Permissions-Policy',
    features.replace(OWN_PASSKEYS, '$1=(self)'),
  );
  res.setHeader('Content-Security-Policy', dashboardPolicy(nonce));
}

async function pageOf(folder: string, nonce: string): Promise<string | null> {
  const file = path.join(folder, 'index.html');
  const text = await readFile(file, 'utf8').catch(nullIfAway);
  return text?.replaceAll(NONCE_PLACEHOLDER, nonce) ?? null;
}

function page(folder: string): RequestHandler {
  return async (req, res) => {
    const nonce = randomBytes(18).toString('base64url');
    const text = await pageOf(folder, nonce);
    dress(res, nonce);
    sendText(req, res, text ?? NOT_BUILT, {
      status: text === null ? 503 : 200,
      cache: 'no-store',
      type: HTML_TYPE,
    });
  };
}

const readOnly: RequestHandler = (req, _res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  throw new BoardError(
    'method_not_allowed',
    `${req.method} is not allowed here; use GET, HEAD.`,
    {},
    { Allow: 'GET, HEAD' },
  );
};

/**
 * `assets/` with hashed names, else the single page, or how to build it. Looked
 * up per request: a build needs no restart.
 */
export function dashboard(folder: string = BUILT_DASHBOARD): RequestHandler {
  const router = strictRouter();
  router.use('/assets', readOnly, builtFiles(path.join(folder, 'assets')));
  router.use(readOnly, page(folder));
  return router;
}

/** No folder, no leading dot. */
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
 * Files with hashed names: cached and compressed once. Public bytes only, so
 * compression leaks nothing. 404 `not_found`.
 */
function builtFiles(folder: string): RequestHandler {
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
