import { z } from 'zod';
import { community } from '../community.js';
import { EXAMPLE_TIME, EXAMPLE_UUID } from '../openapi/examples.js';
import {
  type Contract,
  get,
  type Operation,
  post,
  type Setting,
} from '../openapi/operation.js';
import { count, id, time } from '../openapi/scalars.js';
import { communitySchema } from '../openapi/trust.js';
import { readerEventRequest } from './reader-event.js';

const period = z.object({
  start: time,
  end: time.describe('Exclusive.'),
});

const publishedReport = z
  .object({
    id,
    period,
    metrics: z.unknown().describe('What the node computed of the period.'),
    note: z.string(),
    operator: z.string(),
    published_at: time,
  })
  .describe('A report that an operator published; it is never changed.');

const usefulness = z
  .object({
    window: period,
    keys: z.object({ seen: count, returned: count, definition: z.string() }),
    browser: z.object({
      visitors: count,
      visits: count,
      selection_open: count,
      source_open: count,
      opt_in: z.literal(true),
    }),
    errors: z.array(
      z.object({ operation: z.string(), code: z.string(), count }),
    ),
    network_days: z.object({
      total: count,
      affected: count,
      definition: z.string(),
    }),
    reports: z.array(publishedReport),
    generated_at: time,
    community: communitySchema,
  })
  .describe('Whether the board is of use, as far as it can be counted.');

export type Usefulness = z.infer<typeof usefulness>;
export type PublishedReport = z.infer<typeof publishedReport>;
export type ReaderEventRecorded = z.infer<typeof recorded>;

const recorded = z.object({ status: z.literal('recorded') });

const schemas = {
  UsefulnessReport: publishedReport,
  Usefulness: usefulness,
  ReaderEvent: readerEventRequest,
  ReaderEventRecorded: recorded,
};

/** `/api/usefulness` and reader events (decisions 2.18 and §7). */
export function usefulnessContract(setting: Setting): Contract {
  return { schemas, operations: [read(setting), record()] };
}

function read({ baseUrl }: Setting): Operation {
  return get({
    path: '/api/usefulness',
    id: 'readUsefulness',
    tag: 'Statistics',
    summary: 'Whether the board is of use',
    description:
      'Returning keys, opt-in counts of browsers, errors of requests and affected network-days of the last 35 UTC days.',
    answers: {
      200: {
        description: 'What was counted, and the published reports.',
        json: {
          schema: usefulness,
          example: {
            window: {
              start: '2026-08-13T00:00:00Z',
              end: '2026-09-17T00:00:00Z',
            },
            keys: { seen: 5, returned: 2, definition: 'Seen: published.' },
            browser: {
              visitors: 3,
              visits: 4,
              selection_open: 1,
              source_open: 0,
              opt_in: true,
            },
            errors: [
              { operation: 'write_preview', code: 'too_long', count: 1 },
            ],
            network_days: {
              total: 20,
              affected: 1,
              definition: 'One network on one UTC day.',
            },
            reports: [],
            generated_at: EXAMPLE_TIME,
            community: community(baseUrl),
          },
        },
      },
    },
    errors: ['unavailable'],
    cache: 'no-store',
  });
}

function record(): Operation {
  return post({
    path: '/api/reader-events',
    id: 'recordReaderEvent',
    tag: 'Statistics',
    summary: 'Count what a browser did, if its reader agreed',
    description:
      'Kept for compatible clients. `consent` has to be true; the visitor is kept as a hash of the day only.',
    body: {
      schema: readerEventRequest,
      example: { visitor_id: EXAMPLE_UUID, event: 'visit', consent: true },
    },
    answers: {
      202: {
        description: 'Counted.',
        json: { schema: recorded, example: { status: 'recorded' } },
      },
    },
    spends: ['reads_per_network_minute'],
  });
}
