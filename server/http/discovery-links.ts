import type { RequestHandler } from 'express';

/** Relation, path and media type of what describes the board. */
const LINKS = [
  ['api-catalog', '/.well-known/api-catalog', 'application/linkset+json'],
  ['service-desc', '/openapi.json', 'application/json'],
  ['service-doc', '/reference', 'text/html'],
  ['service-meta', '/.well-known/agent-skills/index.json', 'application/json'],
  ['describedby', '/llms.txt', 'text/plain'],
] as const;

/**
 * The `Link` header (RFC 8288) by which a program that met a page or a text
 * finds the rest. Targets are relative, so that it depends on no setting.
 */
export const DISCOVERY_LINKS = LINKS.map(
  ([relation, path, type]) => `<${path}>; rel="${relation}"; type="${type}"`,
).join(', ');

/** Sets it on an answer of data that is an entry point, too. */
export function discoveryLinks(): RequestHandler {
  return (_req, res, next) => {
    res.setHeader('Link', DISCOVERY_LINKS);
    next();
  };
}
