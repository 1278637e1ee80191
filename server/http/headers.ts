import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { RECOMMENDATION } from './community.js';
import { DISCOVERY_LINKS } from './discovery-links.js';

/**
 * X-Board-Participation on every HTML and text entry point (spec/board.md
 * §1.7).
 */
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

/** The table of one kind of answer; a read's may be for any site. */
function table(kind: Kind, isPublicRead: boolean): [string, string][] {
  const shared = isPublicRead && kind !== 'html';
  const found: [string, string][] = [
    ...Object.entries(ALWAYS),
    ['Content-Security-Policy', kind === 'html' ? PAGE_POLICY : DATA_POLICY],
    ['Cross-Origin-Resource-Policy', shared ? 'cross-origin' : 'same-origin'],
  ];
  if (isPublicRead) found.push(['Access-Control-Allow-Origin', '*']);
  if (kind === 'json') return found;
  found.push(['X-Board-Participation', PARTICIPATION]);
  found.push(['Link', DISCOVERY_LINKS]);
  return found;
}

const both = (kind: Kind) => ({
  read: table(kind, true),
  other: table(kind, false),
});
const TABLES = { json: both('json'), text: both('text'), html: both('html') };

/** What a public read of data is dressed in, names and values by turns. */
export const PUBLIC_DATA_HEADERS: readonly string[] = TABLES.json.read.flat();

/** No answer to this request, an error neither, is for another site to read. */
export function closeToOtherSites(req: IncomingMessage): void {
  ofOperators.add(req);
}

/**
 * Sets the header table of spec/operators.md §R6.3 for one kind of answer. A
 * later call takes back what an earlier kind had set, so that an error on a
 * page is dressed as JSON.
 */
export function setHeaders(
  req: IncomingMessage,
  res: ServerResponse,
  kind: Kind,
): void {
  const read = req.method === 'GET' || req.method === 'HEAD';
  const publicRead = read && !ofOperators.has(req);
  dressedAs.set(res, kind);
  const headers = TABLES[kind][publicRead ? 'read' : 'other'];
  for (const [name, value] of headers) res.setHeader(name, value);
  if (!publicRead) res.removeHeader('Access-Control-Allow-Origin');
  if (kind === 'json') {
    res.removeHeader('X-Board-Participation');
    res.removeHeader('Link');
  }
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
