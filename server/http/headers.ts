import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { RECOMMENDATION } from '../community.js';
import { DISCOVERY_LINKS } from './discovery-links.js';

/** X-Board-Participation on every HTML and text entry point (decisions 1.7). */
export const PARTICIPATION = RECOMMENDATION;

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const OFF = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'web-share',
  'window-management',
  'xr-spatial-tracking',
];

/** On every answer whatever, also those written to a raw socket. */
const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': OFF.map((feature) => `${feature}=()`).join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** What an error sent before any route adds to `ALWAYS`. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  ...ALWAYS,
  'Content-Security-Policy': DATA_POLICY,
  'Cross-Origin-Resource-Policy': 'same-origin',
};

type Kind = 'json' | 'text' | 'html';

const ofOperators = new WeakSet<IncomingMessage>();
/** How an answer is dressed already. */
const dressedAs = new WeakMap<ServerResponse, Kind>();

/** No answer to this request, an error neither, is for another site to read. */
export function closeToOtherSites(req: IncomingMessage): void {
  ofOperators.add(req);
}

/**
 * Sets the header table of reliability §6 for one kind of answer. A later call
 * takes back what an earlier kind had set, so that an error on a page is
 * dressed as JSON.
 */
export function setHeaders(
  req: IncomingMessage,
  res: ServerResponse,
  kind: Kind,
): void {
  const read = req.method === 'GET' || req.method === 'HEAD';
  const publicRead = read && !ofOperators.has(req);
  dressedAs.set(res, kind);
  for (const [name, value] of Object.entries(ALWAYS)) {
    res.setHeader(name, value);
  }
  res.setHeader(
    'Content-Security-Policy',
    kind === 'html' ? PAGE_POLICY : DATA_POLICY,
  );
  res.setHeader(
    'Cross-Origin-Resource-Policy',
    publicRead && kind !== 'html' ? 'cross-origin' : 'same-origin',
  );
  if (publicRead) res.setHeader('Access-Control-Allow-Origin', '*');
  else res.removeHeader('Access-Control-Allow-Origin');
  if (kind === 'json') {
    res.removeHeader('X-Board-Participation');
    res.removeHeader('Link');
    return;
  }
  res.setHeader('X-Board-Participation', PARTICIPATION);
  res.setHeader('Link', DISCOVERY_LINKS);
}

function dressed(kind: Kind): RequestHandler {
  return (req, res, next) => {
    // Most routes dress an answer as every answer is dressed to begin with.
    const done = dressedAs.get(res) === kind && !ofOperators.has(req);
    if (!done) setHeaders(req, res, kind);
    next();
  };
}

export const jsonHeaders = (): RequestHandler => dressed('json');
export const textHeaders = (): RequestHandler => dressed('text');
export const htmlHeaders = (): RequestHandler => dressed('html');
