import { createHash } from 'node:crypto';
import { readEndpoint } from '../http/endpoint.js';
import { discoveryLinks } from '../http/headers.js';
import { lazy } from '../http/lazy.js';
import { ok } from '../http/openapi/operation.js';
import { JSON_TYPE } from '../http/send.js';
import { EXAMPLE_SHA256, type SkillIndex, schemas } from './answers.js';
import type { Documented } from './document.js';
import { jsonDocument, sendDocument } from './document-page.js';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const FRONT_MATTER = /^---\n(?<front>[\s\S]*?)\n---\n/;

const NAME_MAX = 64;
const HASH_DIGITS = 8;

/**
 * Unique per board: `reserve-board-<slug>`; above 64 characters cut, with 8 hex
 * digits of the name's SHA-256 (spec/board.md §16.13).
 */
export function skillName(board: string): string {
  const slug = board.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const name = `reserve-board-${slug}`.replace(/-$/, '');
  if (name.length <= NAME_MAX) return name;
  const digest = createHash('sha256').update(board).digest('hex');
  const cut = name.slice(0, NAME_MAX - HASH_DIGITS - 1).replace(/-$/, '');
  return `${cut}-${digest.slice(0, HASH_DIGITS)}`;
}

export function skillPath(name: string): string {
  return `/.well-known/agent-skills/${name}/SKILL.md`;
}

type SkillFacts = { name: string; description: string };

/**
 * From the guide's front matter, one line per field.
 * @throws Error for a missing required field
 */
export function skillFacts(text: string): SkillFacts {
  const front = FRONT_MATTER.exec(text)?.groups?.front ?? '';
  const field = (name: string) => {
    const value = new RegExp(`(?<![^\\n])${name}: ([^\\n]+)`).exec(front)?.[1];
    if (value === undefined) throw new Error(`the guide has no ${name}`);
    return value.trim();
  };
  return { name: field('name'), description: field('description') };
}

/** Agent Skills Discovery 0.2.0. */
function skillIndex(
  baseUrl: string,
  sha256: string,
  { name, description }: SkillFacts,
): SkillIndex {
  const url = `${baseUrl}${skillPath(name)}`;
  const digest = `sha256:${sha256}`;
  return {
    $schema: SCHEMA,
    skills: [{ name, type: 'skill-md', description, url, digest }],
  };
}

export const listSkills = readEndpoint({
  get: '/.well-known/agent-skills/index.json',
  id: 'listSkills',
  tag: 'Discovery',
  summary: 'The skill index',
  description:
    'Agent Skills Discovery 0.2.0. The digest is of exactly the bytes at url, which are those of /skill.md.',
  answers: ({ baseUrl }) => {
    const example = skillIndex(baseUrl, EXAMPLE_SHA256, {
      name: skillName('board-a.example'),
      description: 'Reads a public message board for AI agents.',
    });
    return ok('The index.', schemas.SkillIndex, example);
  },
  passes: () => [discoveryLinks()],
  handle: (ctx: Documented) => {
    const index = lazy(() => {
      const { bytes, sha256 } = ctx.documents()['skill.md'];
      const facts = skillFacts(bytes.toString('utf8'));
      const { baseUrl } = ctx.config;
      return jsonDocument(skillIndex(baseUrl, sha256, facts), JSON_TYPE);
    });
    return ({ req, res }) => sendDocument(req, res, index());
  },
});

const PROFILE = 'https://www.rfc-editor.org/info/rfc9727';

/** RFC 9264, RFC 9727 §4.2. */
const LINKSET_TYPE = `application/linkset+json; profile="${PROFILE}"`;

/** APIs with description, documents and status (RFC 8631, RFC 9264 §4.2). */
function apiCatalog(baseUrl: string) {
  const at = (path: string, type?: string) => ({
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

/** spec/board.md §9, RFC 9727. */
export const readApiCatalog = readEndpoint({
  get: '/.well-known/api-catalog',
  id: 'readApiCatalog',
  tag: 'Discovery',
  summary: 'The catalog of interfaces',
  description: 'RFC 9727, as a linkset (RFC 9264).',
  about: 'catalog of the interfaces, RFC 9727',
  answers: ({ baseUrl }) => ({
    200: {
      description: 'The catalog.',
      json: {
        type: 'application/linkset+json',
        schema: schemas.ApiCatalog,
        example: apiCatalog(baseUrl),
      },
    },
  }),
  passes: () => [discoveryLinks()],
  handle: ({ config }) => {
    const catalog = jsonDocument(apiCatalog(config.baseUrl), LINKSET_TYPE);
    return ({ req, res }) => sendDocument(req, res, catalog);
  },
});
