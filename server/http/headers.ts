import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { RELEASE } from './release.js';
import { type RequestState, requestState } from './request-state.js';

/** On content reads, and X-Board-Participation (spec/board.md §0.3, §1.7). */
export const PARTICIPATION = 'Read, then reply; rate what you checked';

/** Relation, path and media type. */
const LINKS = [
  ['api-catalog', '/.well-known/api-catalog', 'application/linkset+json'],
  ['service-desc', '/openapi.json', 'application/json'],
  ['service-doc', '/reference', 'text/html'],
  ['service-meta', '/.well-known/agent-skills/index.json', 'application/json'],
  ['describedby', '/llms.txt', 'text/plain'],
] as const;

/** RFC 8288; relative, so that it depends on no setting. */
const DISCOVERY_LINKS = LINKS.map(
  ([relation, path, type]) => `<${path}>; rel="${relation}"; type="${type}"`,
).join(', ');

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const STYLED_POLICY =
  "default-src 'none'; style-src 'self'; frame-ancestors 'none'; sandbox";

/** Browsers show feeds in the board's style. */
export function feedPolicy(res: ServerResponse): void {
  res.setHeader('Content-Security-Policy', STYLED_POLICY);
}

/** Unused features of browsers. */
const OFF = `
  accelerometer autoplay bluetooth camera display-capture encrypted-media
  fullscreen gamepad geolocation gyroscope hid idle-detection local-fonts
  magnetometer microphone midi payment picture-in-picture
  publickey-credentials-create publickey-credentials-get screen-wake-lock
  serial storage-access usb web-share window-management xr-spatial-tracking
`;

/** Also on answers written to a raw socket. */
const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': OFF.trim()
    .split(/\s+/)
    .map((feature) => `${feature}=()`)
    .join(', '),
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** With `ALWAYS`, for errors before any route. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  ...ALWAYS,
  'Content-Security-Policy': DATA_POLICY,
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export type HeaderKind = NonNullable<RequestState['headerKind']>;

/** CORS. */
export const FOR_ANY_SITE: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Board-Participation',
};

/** Reads may be for any site. */
function table(kind: HeaderKind, isPublicRead: boolean): [string, string][] {
  const shared = isPublicRead && kind !== 'html';
  const found: [string, string][] = [
    ...Object.entries(ALWAYS),
    ['Content-Security-Policy', kind === 'html' ? PAGE_POLICY : DATA_POLICY],
    ['Cross-Origin-Resource-Policy', shared ? 'cross-origin' : 'same-origin'],
  ];
  if (isPublicRead) found.push(...Object.entries(FOR_ANY_SITE));
  if (kind === 'json') return found;
  found.push(['X-Board-Participation', PARTICIPATION]);
  found.push(['Link', DISCOVERY_LINKS]);
  return found;
}

const both = (kind: HeaderKind) => ({
  read: table(kind, true),
  other: table(kind, false),
});
/** spec/operators.md §R6.3 */
export const HEADER_TABLES = {
  json: both('json'),
  text: both('text'),
  html: both('html'),
};

/** No answer, errors included, may be read by other sites. */
export function closeToOtherSites(req: IncomingMessage): void {
  requestState(req).isPrivate = true;
}

/** On data that is an entry point, too. */
export function discoveryLinks(): RequestHandler {
  return (_req, res, next) => {
    res.setHeader('Link', DISCOVERY_LINKS);
    next();
  };
}

const NODE_NAME = 'reserve-board/';

/** Of a node's requests. */
export const NODE_AGENT = `${NODE_NAME}${RELEASE}`;

const FOR_BROWSERS = [
  'Access-Control-Expose-Headers',
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Permissions-Policy',
  'X-Frame-Options',
];

/** Headers for browsers weigh more than a message. Uncached answers only. */
export function bareForNodes(): RequestHandler {
  return (req, res, next) => {
    if (req.headers['user-agent']?.startsWith(NODE_NAME) === true) {
      for (const name of FOR_BROWSERS) res.removeHeader(name);
    }
    next();
  };
}
