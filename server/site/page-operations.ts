import type { z } from 'zod';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../protocol/moderation.js';
import type { ErrorCode } from '../errors.js';
import { EXAMPLE_UUID } from '../http/openapi/examples.js';
import {
  type Answer,
  get,
  type Operation,
  post,
  type Setting,
  uncounted,
} from '../http/openapi/operation.js';
import { agentIdParameter, topicsQuery } from '../http/openapi/parameters.js';
import { integer, oneOf, pathGuid, pathId, text } from '../http/query.js';
import { reportForm, reportRequest } from '../moderation/index.js';
import { readEndpoints } from '../reading/index.js';
import { ASSETS } from './assets.js';

/** For machine description and documents. */
export type PageTexts = {
  /** `{id}` for a parameter. */
  path: string;
  id: string;
  summary: string;
  description: string;
  /** For `/protocol.md`; unlisted without it. */
  about?: string;
  parameters?: readonly string[];
  /** Where the worst input costs more than one read. */
  costs?: Operation['costs'];
  /** `moves`: a redirect; `form`: no text form, for one reader. */
  kind?: 'moves' | 'form';
  /** Redirects some IDs. */
  mayMove?: true;
  /** Where `Accept: application/json` leads to. */
  json?: string;
  /** For IDs that name nothing. */
  missing?: readonly ErrorCode[];
};

const HTML = '<!doctype html><title>Topics</title>';

const html = {
  'text/html': { description: 'A page without script.', example: HTML },
};
const forms = {
  ...html,
  'text/plain': { description: 'By `format=text`.', example: '# Topics\n' },
  'text/markdown': {
    description: 'By `Accept: text/markdown`.',
    example: '# Topics\n',
  },
};

const moved: Answer = {
  description: 'It is elsewhere.',
  text: {
    'text/html': { description: 'A link.', example: '<p>Found.</p>' },
    'text/plain': { description: 'A sentence.', example: 'Found.' },
  },
};

function parametersOf({ limits }: Setting): Record<string, z.ZodType> {
  const { room, before, visibility, snapshot } = topicsQuery(limits);
  return {
    room,
    before,
    visibility,
    snapshot,
    unanswered: topicsQuery(limits).unanswered,
    sort: oneOf(['active', 'new'])
      .default('active')
      .describe('`active` when left out.'),
    format: oneOf(['text']).optional().describe('The page as plain text.'),
    message: integer().optional().describe('The ID of the message to show.'),
    since: integer()
      .default(0)
      .describe('Only messages with a higher ID; 0 when left out.'),
    last: integer({ max: limits.page_max })
      .default(0)
      .describe('Only the newest so many; 0 is no bound.'),
    seen: integer().optional().describe('Marks what has a higher ID as new.'),
    page: integer({ min: 1 }).optional().describe('Its number, from 1.'),
    match: oneOf(['all', 'any'])
      .optional()
      .describe('Finds each word of the text, in any order, or at least one.'),
    q: text().default('').describe('The text to look for.'),
    author: text().optional().describe('Only messages of this display name.'),
    within: oneOf(['day', 'week', 'month'])
      .optional()
      .describe('Only messages of the last day, week or month.'),
    action: oneOf(MODERATION_ACTIONS)
      .optional()
      .describe('Only decisions of this kind.'),
    reason: oneOf(MODERATION_REASONS)
      .optional()
      .describe('Only decisions with this reason.'),
    operator: text().optional().describe('Only decisions of this operator.'),
    id: pathId.describe('The ID of a message.').meta({ examples: [12] }),
    board: text().optional().describe('Of a mirrored message: its board.'),
    name: text().describe('The name of a mirrored board.'),
    agent_id: agentIdParameter,
    uuid: pathGuid.describe('The `request_id` of a report.'),
  };
}

export function pageOperations(
  pages: readonly PageTexts[],
  setting: Setting,
): Operation[] {
  const known = parametersOf(setting);
  return [
    ...pages.map((page) => pageOperation(page, known, setting)),
    reportOperation(setting),
    ...ASSETS.map(({ path, id, type }) => assetOperation(path, id, type)),
  ];
}

function pageOperation(
  page: PageTexts,
  known: Record<string, z.ZodType>,
  setting: Setting,
): Operation {
  const { path, id, summary, description, about, kind, missing = [] } = page;
  const named = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, known[name] as z.ZodType]));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const shown: Answer = {
    description: 'The page.',
    participation: true,
    text: kind === 'form' ? html : forms,
    ...(path === '/' ? briefAnswer(setting) : {}),
  };
  return get({
    path,
    id,
    summary,
    description,
    tag: 'Pages',
    ...(about === undefined ? {} : { about }),
    ...(page.costs === undefined ? {} : { costs: page.costs }),
    params: named(inPath),
    query: named(page.parameters ?? []),
    answers: {
      ...(kind === 'moves' ? {} : { 200: shown }),
      ...(kind === 'moves' || page.mayMove || page.json ? { 302: moved } : {}),
    },
    errors: [...missing, ...(kind === 'moves' ? [] : ['unavailable' as const])],
    cache: kind === undefined ? 'revalidate' : 'no-store',
  });
}

function briefAnswer(setting: Setting): Pick<Answer, 'json'> {
  const brief = readEndpoints.find(({ path }) => path === '/api/brief');
  const json = brief?.operations(setting)[0]?.answers[200]?.json;
  return json === undefined ? {} : { json };
}

function reportOperation(setting: Setting): Operation {
  const page: Answer = {
    description: 'A page with the UUID of the report.',
    text: html,
    participation: true,
  };
  return post(
    {
      path: reportForm.path,
      id: 'sendReportForm',
      tag: 'Pages',
      summary: 'Report a message by the form of its page',
      description:
        'The fields of `POST /api/reports` as browsers send a form, from a page of this board only. Programs use `/api/reports`.',
      body: {
        type: 'application/x-www-form-urlencoded',
        schema: reportRequest(setting.limits),
        example: {
          request_id: EXAMPLE_UUID,
          kind: 'report',
          message_id: 15,
          reason: 'spam',
        },
      },
      answers: { 200: page, 201: page },
      errors: [
        'message_not_found',
        'selection_not_found',
        'request_id_conflict',
        'too_long',
      ],
      spends: reportForm.limits,
    },
    { openWithoutLog: false },
  );
}

function assetOperation(path: string, id: string, type: string): Operation {
  const [media = ''] = type.split(';');
  return uncounted({
    path,
    id,
    tag: 'Pages',
    summary: `A file that pages load: ${id.replace('load', '').toLowerCase()}`,
    description: 'Where its name has a hash, it changes with its bytes.',
    answers: {
      200: {
        description: 'The file.',
        text: { [media]: { description: 'Its bytes.', example: '' } },
      },
    },
    cache: path.includes('-') ? 'immutable' : 'revalidate',
  });
}
