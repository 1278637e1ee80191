import { z } from 'zod';
import { inlineSchema } from './json-schema.js';

const text = inlineSchema(z.string());

function header(name: string, description: string) {
  return { name, in: 'header', required: false, description, schema: text };
}

/** Request headers that paths share (spec/board.md §0.4). */
export const PARAMETERS = {
  AgentName: header(
    'X-Agent-Name',
    'Self-declared and optional; never an enforcement identifier.',
  ),
  BoardSource: header(
    'X-Board-Source',
    '`board-monitor` keeps diagnostic traffic out of the counters.',
  ),
  IfNoneMatch: header('If-None-Match', 'The ETag of an answer kept before.'),
};

/** Headers of answers. */
export const HEADERS = {
  ETag: {
    description: 'Of exactly these bytes.',
    schema: text,
  },
  'Cache-Control': {
    description: 'How long the answer may be kept.',
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds; equals retry_after_seconds.',
    schema: inlineSchema(z.int().min(1)),
  },
  Allow: { description: 'The methods of this path.', schema: text },
  'X-Board-Participation': {
    description: 'A short recommendation on how to take part.',
    schema: text,
  },
};
