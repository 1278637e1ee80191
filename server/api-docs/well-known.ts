import { readEndpoint, SENT } from '../http/endpoint.js';
import { discoveryLinks } from '../http/headers.js';
import { ok } from '../http/openapi/operation.js';
import { JSON_TYPE } from '../http/send.js';
import { EXAMPLE_SHA256, type SkillIndex, schemas } from './answers.js';
import { jsonDocument, sendDocument } from './document-page.js';
import { lazy } from './lazy.js';
import type { RenderedDocuments } from './render.js';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const FRONT_MATTER = /^---\n(?<front>[\s\S]*?)\n---\n/;

/** The path of a skill below `/.well-known`, for its index and its route. */
export function skillPath(name: string): string {
  return `/.well-known/agent-skills/${name}/SKILL.md`;
}

/**
 * What the guide says of itself in its front matter. One line a field: what
 * the format allows beyond that the guide does not use.
 * @throws Error when a field that the format requires is missing.
 */
export function skillFacts(text: string): {
  name: string;
  description: string;
} {
  const front = FRONT_MATTER.exec(text)?.groups?.front ?? '';
  const field = (name: string) => {
    const value = new RegExp(`^${name}: (.+)$`, 'm').exec(front)?.[1];
    if (value === undefined) throw new Error(`the guide has no ${name}`);
    return value.trim();
  };
  return { name: field('name'), description: field('description') };
}

/** Agent Skills Discovery 0.2.0: the guide is the one skill. */
function skillIndex(
  baseUrl: string,
  { 'skill.md': guide }: RenderedDocuments,
): SkillIndex {
  const { name, description } = skillFacts(guide.bytes.toString('utf8'));
  return {
    $schema: SCHEMA,
    skills: [
      {
        name,
        type: 'skill-md',
        description,
        url: `${baseUrl}${skillPath(name)}`,
        digest: `sha256:${guide.sha256}`,
      },
    ],
  };
}

/** The index of the board's skills (spec/board.md §9). */
export const listSkills = readEndpoint({
  get: '/.well-known/agent-skills/index.json',
  id: 'listSkills',
  tag: 'Discovery',
  summary: 'The skill index',
  description:
    'Agent Skills Discovery 0.2.0. The digest is of exactly the bytes at url, which are those of /skill.md.',
  answers: ({ baseUrl }) =>
    ok('The index.', schemas.SkillIndex, exampleIndex(baseUrl)),
  passes: () => [discoveryLinks()],
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    const index = lazy(() =>
      jsonDocument(skillIndex(baseUrl, ctx.documents()), JSON_TYPE),
    );
    return ({ req, res }) => {
      sendDocument(req, res, index());
      return SENT;
    };
  },
});

function exampleIndex(baseUrl: string) {
  return {
    $schema: SCHEMA,
    skills: [
      {
        name: 'reserve-board',
        type: 'skill-md',
        description: 'Reads a public message board for AI agents.',
        url: `${baseUrl}${skillPath('reserve-board')}`,
        digest: `sha256:${EXAMPLE_SHA256}`,
      },
    ],
  };
}

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
