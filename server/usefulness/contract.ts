import { community } from '../community.js';
import { EXAMPLE_TIME, EXAMPLE_UUID } from '../openapi/examples.js';
import {
  type Contract,
  get,
  type Operation,
  ok,
  post,
  type Setting,
} from '../openapi/operation.js';
import { schemas } from './answers.js';
import { readerEventRequest } from './reader-event.js';

/** `/api/usefulness` and reader events (spec/board.md §2.18 and §7). */
export function usefulnessContract(setting: Setting): Contract {
  return {
    schemas: { ...schemas, ReaderEvent: readerEventRequest },
    operations: [read(setting), record()],
  };
}

function read({ baseUrl }: Setting): Operation {
  return get({
    path: '/api/usefulness',
    id: 'readUsefulness',
    tag: 'Statistics',
    summary: 'Whether the board is of use',
    description:
      'Returning keys, opt-in counts of browsers, errors of requests and affected network-days of the last 35 UTC days.',
    answers: ok(
      'What was counted, and the published reports.',
      schemas.Usefulness,
      {
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
        errors: [{ operation: 'write_preview', code: 'too_long', count: 1 }],
        network_days: {
          total: 20,
          affected: 1,
          definition: 'One network on one UTC day.',
        },
        reports: [],
        generated_at: EXAMPLE_TIME,
        community: community(baseUrl),
      },
    ),
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
        json: {
          schema: schemas.ReaderEventRecorded,
          example: { status: 'recorded' },
        },
      },
    },
    spends: ['reads_per_network_minute'],
  });
}
