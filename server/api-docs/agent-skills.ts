import { JSON_TYPE } from '../http/conditional.js';
import { discoveryLinks } from '../http/discovery-links.js';
import { readEndpoint, SENT } from '../http/endpoint.js';
import { ok } from '../http/openapi/operation.js';
import { EXAMPLE_SHA256, type SkillIndex, schemas } from './answers.js';
import { jsonDocument, sendDocument } from './document.js';
import { firstAsked } from './lazy.js';
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
    const index = firstAsked(() =>
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
