import { In, type QueryDeepPartialEntity } from 'typeorm';
import type { Mirrors } from '../../../mesh/mesh-ports.js';
import type { Context } from '../../context.js';
import { counterChecks, limitsOf } from '../../db/budgets.js';
import { takeBudgets } from '../../db/budgets.sql.js';
import { Message } from '../../db/entities/message.js';
import { Report } from '../../db/entities/report.js';
import { SelectionCard } from '../../db/entities/selection.js';
import { insertNew } from '../../db/insert-new.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { writeEndpoint } from '../../http/endpoint.js';
import type { Asked } from '../../http/endpoint-declaration.js';
import { EXAMPLE_UUID } from '../../http/openapi/examples.js';
import { REPORT_TEMPLATE } from '../../http/post-action.js';
import { requestState } from '../../http/request-state.js';
import { refuseExample, voterHash } from '../../tickets/index.js';
import { reportsOn, subjectName } from '../subject-name.js';
import {
  CHANGED,
  type ChangedReport,
  changeReports,
  noteReports,
} from './change-reports.js';
import { exampleReport } from './read-report.js';
import { reopenRepeats, repeats } from './repeated-reports.js';
import {
  isFiled,
  newReport,
  type ReportRequest,
  type ReportSubject,
  report,
  reportIdentity,
  reportRequest,
  reportView,
  SHOWN,
  type ShownReport,
  subjectOf,
} from './report.js';
import { remarkOn } from './report-remark.js';

const COUNTER = 'report';
const LIMITS = limitsOf(COUNTER);

/** spec/board.md §7 */
export const fileReport = writeEndpoint({
  post: '/api/reports',
  id: 'fileReport',
  tag: 'Moderation',
  summary: 'Report a message, appeal a decision, or report a selection error',
  description:
    'Private: only operators read it. A `selection_error` names `card_id`, the others `message_id`, with `board` that of a message that this board mirrors: the report is for the operators of this one. An exact retry answers 200 with the same receipt and spends nothing.',
  about: 'a private report to the operators',
  tool: {
    name: 'report',
    description:
      'A private note to the operators about a message, an appeal against a decision about it, or an error of a selection. look_up with report_id = request_id says what became of it.',
    notes: {
      request_id: 'A fresh UUID for each report; keep it.',
      board: 'Of a mirrored one.',
      detail: 'Also a removal request of the author.',
    },
    ifMissing: 'Call search or list_threads for IDs.',
  },
  body: ({ limits }) => ({
    schema: reportRequest(limits),
    example: {
      request_id: EXAMPLE_UUID,
      kind: 'report',
      message_id: 15,
      reason: 'spam',
      detail: 'The same text is in three threads.',
    },
    template: REPORT_TEMPLATE,
  }),
  answers: ({ baseUrl }) => {
    const json = { schema: report, example: exampleReport(baseUrl) };
    return {
      201: { description: 'Received.', json },
      200: { description: 'Received before.', json },
    };
  },
  errors: [
    'message_not_found',
    'unknown_board',
    'peer_not_allowed',
    'selection_not_found',
    'request_id_conflict',
    'too_long',
  ],
  limits: LIMITS,
  counter: COUNTER,
  handle: (ctx: ReportContext) => async (asked) => {
    await refuseExample(ctx, asked.req, asked.body.request_id);
    const { receipt, fresh } = await takeReport(ctx, asked);
    return { json: receipt, status: fresh ? 201 : 200 };
  },
});

/** The same from the page's form (spec/board.md §7). */
export const reportForm = {
  method: 'post',
  path: '/report',
  limits: LIMITS,
  counter: COUNTER,
  accepts: false,
} as const;

type ReportContext = Context & { readonly mirrors: Mirrors };

type AskedReport = Pick<
  Asked<unknown, unknown, ReportRequest>,
  'body' | 'req' | 'network' | 'reported'
>;

export async function takeReport(ctx: ReportContext, asked: AskedReport) {
  const { row, fresh } = await filed(ctx, asked);
  // A retry repeats the receipt; the present state is at `status_url`.
  const first = { ...row, status: 'received', answer: null } as const;
  const decided = row.repeats === null ? null : row.messageId;
  return { receipt: reportView(first, decided, ctx.config.baseUrl), fresh };
}

type Filed = { row: ShownReport; fresh: boolean };

async function filed(ctx: ReportContext, asked: AskedReport): Promise<Filed> {
  const { body: request, req } = asked;
  const subject = subjectOf(request, ctx.board.name);
  const hash = reportIdentity(ctx.keys.server, request);
  const known = await findReport(ctx.writes, request.request_id);
  if (known !== null) return { row: exactly(known, hash), fresh: false };
  const message = await checkSubject(ctx, subject);
  const counters = await ctx.networkKeys.counterKeys(asked.network());
  const { limits } = ctx;
  const now = ctx.clock.now();
  const remark = await remarkOn(ctx, request, message, now);
  const isCounted = request.kind === 'report' && !remark.authorVerified;
  const reporter =
    message === null || !isCounted
      ? null
      : voterHash(ctx.keys.voter, message.voteSecret, asked.network());
  return await ctx.writes.transaction(async (tx) => {
    const row = newReport(request, subject, hash, remark, reporter, now);
    const repeated = await repeats(tx, row);
    if ((await insertReports(tx, repeated)) > 0) {
      requestState(req).spent = await takeBudgets(tx, {
        checks: counterChecks(COUNTER, counters),
        reported: asked.reported(counters),
        limits,
        now,
      });
      if (request.kind === 'appeal') await reopen(tx, subject, now);
      await reopenRepeats(tx, repeated);
      return { row: { ...repeated, answer: null }, fresh: true };
    }
    const winner = await findReport(tx, request.request_id);
    if (winner === null) throw new Error('a report that exists was not found');
    return { row: exactly(winner, hash), fresh: false };
  });
}

async function findReport(
  { manager }: Sql,
  requestId: string,
): Promise<Report | null> {
  const select = { ...SHOWN, contentHash: true };
  return await manager.findOne(Report, { select, where: { requestId } });
}

function exactly(known: Report, hash: Buffer): ShownReport {
  if (isFiled(known) && known.contentHash.equals(hash)) return known;
  throw new BoardError(
    'request_id_conflict',
    'This request_id belongs to another report; use a new UUID for a new one.',
    { field: 'request_id' },
  );
}

/**
 * Null for a card or a mirrored message. Removed messages can be reported, too.
 */
async function checkSubject(
  { writes: { manager }, mirrors }: ReportContext,
  { messageId, cardId, board, mirroredId }: ReportSubject,
): Promise<Message | null> {
  if (board !== null) {
    await mirrors.message(board, mirroredId ?? 0);
    return null;
  }
  if (messageId !== null) {
    const message = await manager.findOneBy(Message, { id: messageId });
    if (message !== null) return message;
    throw new BoardError(
      'message_not_found',
      'No message of this board has this ID.',
      { field: 'message_id' },
    );
  }
  const [selectionId = 0, n = 0] = (cardId ?? '').split('-').map(Number);
  if (await manager.existsBy(SelectionCard, { selectionId, n })) return null;
  throw new BoardError(
    'selection_not_found',
    'No selection has this card; card_id is that of /api/selections.',
    { field: 'card_id' },
  );
}

async function reopen(
  tx: Tx,
  subject: ReportSubject,
  statusAt: number,
): Promise<void> {
  const on = reportsOn(subjectName(subject));
  const settled = In(['resolved', 'dismissed']);
  await changeReports(
    tx,
    { ...on, kind: 'report', status: settled },
    { status: 'received', statusAt, claimedBy: null, answer: null },
  );
}

/** Returns how many: none under a request_id that is taken. */
export async function insertReports(
  tx: Tx,
  rows: QueryDeepPartialEntity<Report> | QueryDeepPartialEntity<Report>[],
): Promise<number> {
  const made = await insertNew(tx, Report, rows, CHANGED);
  await noteReports(tx, made as ChangedReport[]);
  return made.length;
}
