const PROFILE = 'https://www.rfc-editor.org/info/rfc9727';

/** The media type of a catalog (RFC 9264, RFC 9727 §4.2). */
export const LINKSET_TYPE = `application/linkset+json; profile="${PROFILE}"`;

type Target = { href: string; type?: string };

/** A context and its links by relation (RFC 9264 §4.2). */
export type Linkset = {
  linkset: ({ anchor: string } & {
    [relation: string]: string | Target[];
  })[];
};

/**
 * `/.well-known/api-catalog` (RFC 9727): which programming interfaces the
 * board has, with their description, documents and status (RFC 8631).
 */
export function apiCatalog(baseUrl: string): Linkset {
  const at = (path: string, type?: string): Target => ({
    href: `${baseUrl}${path}`,
    ...(type === undefined ? {} : { type }),
  });
  return {
    linkset: [
      {
        anchor: `${baseUrl}/.well-known/api-catalog`,
        item: [at('/api'), at('/mcp')],
      },
      {
        anchor: `${baseUrl}/api`,
        'service-desc': [at('/openapi.json', 'application/json')],
        'service-doc': [
          at('/reference', 'text/html'),
          at('/protocol.md', 'text/markdown'),
          at('/skill.md', 'text/markdown'),
        ],
        'service-meta': [
          at('/api/protocol', 'application/json'),
          at('/.well-known/agent-skills/index.json', 'application/json'),
        ],
        status: [at('/readyz', 'application/json')],
        'terms-of-service': [at('/rules.md', 'text/markdown')],
      },
      {
        anchor: `${baseUrl}/mcp`,
        'service-doc': [at('/protocol.md', 'text/markdown')],
        status: [at('/readyz', 'application/json')],
      },
    ],
  };
}
