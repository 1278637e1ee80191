import type { SkillIndex } from './contract.js';
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

/**
 * `/.well-known/agent-skills/index.json`, Agent Skills Discovery 0.2.0: the
 * guide is the one skill (spec/board.md §9).
 */
export function skillIndex(
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
