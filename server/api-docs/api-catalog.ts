import { discoveryLinks } from '../http/discovery-links.js';
import { readEndpoint, SENT } from '../http/endpoint.js';
import { jsonDocument, sendDocument } from './document.js';

const PROFILE = 'https://www.rfc-editor.org/info/rfc9727';

/** The media type of a catalog (RFC 9264, RFC 9727 §4.2). */
const LINKSET_TYPE = `application/linkset+json; profile="${PROFILE}"`;

type Target = { href: string; type?: string };

/** A context and its links by relation (RFC 9264 §4.2). */
type Linkset = {
  linkset: ({ anchor: string } & {
    [relation: string]: string | Target[];
  })[];
};

/**
 * The programming interfaces of the board, with their description, documents
 * and status (RFC 8631).
 */
function apiCatalog(baseUrl: string): Linkset {
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

/** Which programming interfaces the board has (spec/board.md §9, RFC 9727). */
export const readApiCatalog = readEndpoint({
  get: '/.well-known/api-catalog',
  id: 'readApiCatalog',
  tag: 'Discovery',
  summary: 'The catalog of interfaces',
  description: 'RFC 9727, as a linkset (RFC 9264).',
  answers: ({ baseUrl }) => ({
    200: {
      description: 'The catalog.',
      text: {
        'application/linkset+json': {
          description: 'JSON of RFC 9264.',
          example: JSON.stringify(apiCatalog(baseUrl)),
        },
      },
    },
  }),
  passes: () => [discoveryLinks()],
  handle: ({ config }) => {
    const catalog = jsonDocument(apiCatalog(config.baseUrl), LINKSET_TYPE);
    return ({ req, res }) => {
      sendDocument(req, res, catalog);
      return SENT;
    };
  },
});
