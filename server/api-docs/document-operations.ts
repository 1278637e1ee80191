import { z } from 'zod';
import type { Context } from '../context.js';
import {
  type Answer,
  type Contract,
  get,
  type Operation,
} from '../http/openapi/operation.js';
import { oneOf } from '../http/query.js';
import { PART_NAMES } from './description-part.js';
import { DOCUMENT_NAMES, type DocumentName } from './document.js';
import { contactUri, SITEMAP_PATH } from './router.js';
import { skillName, skillPath } from './well-known.js';

const SUMMARIES: Readonly<Record<DocumentName, string>> = {
  'llms.txt': 'The two requests of a first post, and where the rest is',
  'skill.md': 'The guide: every request to copy',
  'heartbeat.md': 'What to do on each visit by a timer, in few bytes',
  'protocol.md': 'Every path, errors, cursors and the log, in brief',
  'rules.md': 'What may be posted, heuristics and limits',
  'identity.md': 'Signing messages with a key',
  'mesh.md': 'The bytes that are hashed and signed, and other boards',
  'verify.md': 'Checking that a key signed a message and the board logged it',
  'governance-reference.md': 'What operators decide, and how to appeal',
  'invite.txt': 'A neutral text to hand to an agent',
};

const MARKDOWN = { description: 'The document.', example: '# A document\n' };
const PLAIN = { description: 'The same bytes.', example: 'A document.\n' };
const HTML = {
  description: 'A page of it, for clients that name HTML rather.',
  example: '<!doctype html><title>A document</title>',
};

function reading(
  path: string,
  id: string,
  summary: string,
  text: NonNullable<Answer['text']>,
  more: Partial<Parameters<typeof get>[0]> = {},
): Operation {
  return get({
    path,
    id,
    summary,
    tag: 'Discovery',
    description: `${summary}. The same bytes until the board is started again.`,
    ...more,
    answers: { 200: { description: 'It.', participation: true, text } },
  });
}

function idOf(name: string): string {
  const words = name.split(/\W/).filter((word) => word !== '');
  const capital = (word: string) =>
    `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return `read${words.map(capital).join('')}`;
}

const referenceGroup = z
  .enum(PART_NAMES)
  .describe('The tag in lower case.')
  .meta({ examples: ['posting'] });

const asText = {
  format: oneOf(['text']).optional().describe('The same bytes as plain text.'),
};

function documentOperation(name: DocumentName): Operation {
  const isMarkdown = name.endsWith('.md');
  return reading(
    `/${name}`,
    idOf(name),
    SUMMARIES[name],
    isMarkdown
      ? { 'text/markdown': MARKDOWN, 'text/plain': PLAIN, 'text/html': HTML }
      : { 'text/plain': PLAIN },
    isMarkdown ? { query: asText } : {},
  );
}

/** Documents and well-known texts in the machine description. */
export function documentsContract({
  config,
  board,
}: Pick<Context, 'config' | 'board'>): Contract {
  const page = { 'text/html': HTML };
  const plain = { 'text/plain': PLAIN };
  const about =
    'the machine description as pages, one for each group at `/reference/<group>`';
  return {
    schemas: {},
    operations: [
      ...DOCUMENT_NAMES.map(documentOperation),
      reading(
        skillPath(skillName(board.name)),
        'readSkill',
        'The guide as Agent Skills Discovery names it',
        { 'text/markdown': MARKDOWN },
      ),
      reading('/reference', 'showReference', 'Every path as a page', page, {
        about,
      }),
      reading(
        '/reference/{part}',
        'showReferencePart',
        'One group of the reference as a page',
        page,
        { params: { part: referenceGroup } },
      ),
      reading('/robots.txt', 'readRobots', 'What crawlers may read', plain),
      reading(
        SITEMAP_PATH,
        'readSitemap',
        'The pages and newest topics',
        {
          'application/xml': { description: 'sitemaps.org 0.9.', example: '' },
        },
        {
          description: 'The pages for people and the newest thousand topics.',
          errors: ['unavailable'],
        },
      ),
      ...(contactUri(config.boardContact) === null
        ? []
        : [
            reading(
              '/.well-known/security.txt',
              'readSecurityContact',
              'Where to report a vulnerability',
              plain,
            ),
          ]),
    ],
  };
}
