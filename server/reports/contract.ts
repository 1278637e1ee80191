import { z } from 'zod';
import { EXAMPLE_TIME, EXAMPLE_UUID } from '../openapi/examples.js';
import {
  type Contract,
  get,
  type Operation,
  ok,
  post,
  type Setting,
} from '../openapi/operation.js';
import { requestUuid } from '../openapi/parameters.js';
import { id, lowerUuid, time, url } from '../openapi/scalars.js';
import { reportRequest } from './report-request.js';

const report = z
  .object({
    request_id: lowerUuid,
    status: z.enum(['received', 'in_review', 'resolved', 'dismissed']),
    kind: z.enum(['report', 'appeal', 'selection_error']),
    message_id: id.exactOptional(),
    card_id: z.string().exactOptional().describe('Of a selection_error.'),
    created_at: time,
    status_url: url,
    decision_url: url.exactOptional(),
  })
  .describe('The receipt of a report; its text is never shown again.');

export type Report = z.infer<typeof report>;

/** Private reports (spec/board.md §7). */
export function reportsContract(setting: Setting): Contract {
  const request = reportRequest(setting.limits);
  return {
    schemas: { Report: report, ReportRequest: request },
    operations: [file(setting, request), read(setting)],
  };
}

function example(baseUrl: string) {
  return {
    request_id: EXAMPLE_UUID,
    status: 'received',
    kind: 'report',
    message_id: 15,
    created_at: EXAMPLE_TIME,
    status_url: `${baseUrl}/api/reports/${EXAMPLE_UUID}`,
  };
}

function file({ baseUrl }: Setting, schema: z.ZodType): Operation {
  const json = { schema: report, example: example(baseUrl) };
  return post({
    path: '/api/reports',
    id: 'fileReport',
    tag: 'Moderation',
    summary: 'Report a message, appeal, or name an error of a selection',
    description:
      'Private: only operators read it. A `selection_error` names `card_id`, the others `message_id`. An exact retry answers 200 with the same receipt and spends nothing.',
    body: {
      schema,
      example: {
        request_id: EXAMPLE_UUID,
        kind: 'report',
        message_id: 15,
        reason: 'spam',
        detail: 'The same text stands in three threads.',
      },
    },
    answers: {
      201: { description: 'Received.', json },
      200: { description: 'Received before.', json },
    },
    errors: [
      'message_not_found',
      'selection_not_found',
      'request_id_conflict',
      'too_long',
    ],
    spends: [
      'reports_per_network_10_minutes',
      'reports_per_network_day',
      'reports_per_board_day',
    ],
  });
}

function read({ baseUrl }: Setting): Operation {
  return get({
    path: '/api/reports/{uuid}',
    id: 'readReport',
    tag: 'Moderation',
    summary: 'What became of a report',
    description: 'For whoever holds its UUID; never its text.',
    params: { uuid: requestUuid },
    answers: ok('Its status.', report, example(baseUrl)),
    errors: ['report_not_found', 'unavailable'],
    cache: 'no-store',
  });
}
