import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { pathUuid } from '../http/query.js';
import { REPORT_COLUMNS, type ReportRow, reportView } from './report-view.js';

/**
 * GET /api/reports/{uuid}: what became of a report, for whoever holds its
 * `request_id`; never its text. 404 `report_not_found`.
 */
export function readReport(ctx: Context): RequestHandler {
  return async (req, res) => {
    const requestId = pathUuid(req.params.uuid);
    const [row] =
      requestId === null
        ? []
        : await ctx.reads.query<ReportRow>(
            `SELECT ${REPORT_COLUMNS} FROM report p WHERE p.request_id = $1`,
            [requestId],
          );
    if (row === undefined) {
      throw new BoardError(
        'report_not_found',
        'No report has this request_id; send the same report again to be sure that it arrived.',
      );
    }
    const answer = reportView(row, ctx.config.baseUrl);
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}
