import type { Context } from '../../context.js';
import { Decision } from '../../db/entities/decision.js';
import { Report } from '../../db/entities/report.js';
import { BoardError } from '../../errors.js';
import { readEndpoint } from '../../http/endpoint.js';
import { EXAMPLE_TIME, EXAMPLE_UUID } from '../../http/openapi/examples.js';
import { ok } from '../../http/openapi/operation.js';
import { requestUuid } from '../../http/openapi/parameters.js';
import { isFiled, report, reportView, SHOWN } from './report.js';

/** For the holder of its UUID (spec/board.md §7). */
export const readReport = readEndpoint({
  get: '/api/reports/:uuid',
  id: 'readReport',
  tag: 'Moderation',
  summary: 'The state of a report',
  description: 'For a client that has its UUID; never its text.',
  about: 'what became of a report',
  params: { uuid: requestUuid },
  missing: unknown,
  tool: {
    name: 'look_up',
    called: { uuid: 'report_id' },
    notes: { uuid: 'Of a report.' },
    ifMissing: 'Call report with the same request_id and content.',
  },
  answers: ({ baseUrl }) => ok('Its status.', report, exampleReport(baseUrl)),
  errors: ['report_not_found', 'unavailable'],
  cache: 'no-store',
  handle:
    (ctx) =>
    async ({ params: { uuid } }) => {
      const found = await reportStatus(ctx, uuid);
      if (found === null) throw unknown();
      return { json: reportView(found.row, found.decided, ctx.config.baseUrl) };
    },
});

/** With the message that was decided about. */
export async function reportStatus({ reads }: Context, requestId: string) {
  const { manager } = reads;
  const row = await manager.findOne(Report, {
    select: { ...SHOWN, decisionId: true },
    where: { requestId },
  });
  if (row === null || !isFiled(row)) return null;
  const { decisionId: id } = row;
  const select = { id: true, messageId: true };
  const decision =
    id === null
      ? null
      : await manager.findOne(Decision, { select, where: { id } });
  return { row, decided: decision?.messageId ?? null };
}

function unknown(): BoardError {
  return new BoardError(
    'report_not_found',
    'No report has this request_id; send the same report again to be sure that it arrived.',
  );
}

export function exampleReport(baseUrl: string) {
  return {
    request_id: EXAMPLE_UUID,
    status: 'received',
    kind: 'report',
    message_id: 15,
    created_at: EXAMPLE_TIME,
    status_url: `${baseUrl}/api/reports/${EXAMPLE_UUID}`,
  };
}
