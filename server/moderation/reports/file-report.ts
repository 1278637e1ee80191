import { In } from 'typeorm';
import type { Context } from '../../context.js';
import {
  type BudgetCheck,
  boardKey,
  type CounterKeys,
  checksOf,
  networkKey,
  windows,
} from '../../db/budgets.js';
import { takeBudgets } from '../../db/budgets.sql.js';
import { Message } from '../../db/entities/message.js';
import { Report } from '../../db/entities/report.js';
import { SelectionCard } from '../../db/entities/selection.js';
import type { Sql, Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { writeEndpoint } from '../../http/endpoint.js';
import type { Asked } from '../../http/endpoint-declaration.js';
import { EXAMPLE_UUID } from '../../http/openapi/examples.js';
import { requestState } from '../../http/request-state.js';
import { CHANGED, changeReports, noteReports } from './change-reports.js';
import { exampleReport } from './read-report.js';
import {
  isFiled,
  type NewReport,
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
const LIMITS = [
  'reports_per_network_10_minutes',
  'reports_per_network_day',
  'reports_per_board_day',
] as const;

/** spec/board.md §7 */
export const fileReport = writeEndpoint({
  post: '/api/reports',
  id: 'fileReport',
  tag: 'Moderation',
  summary: 'Report a message, appeal a decision, or report a selection error',
  description:
    'Private: only operators read it. A `selection_error` names `card_id`, the others `message_id`. An exact retry answers 200 with the same receipt and spends nothing.',
  about: 'a private report to the operators',
  tool: {
    name: 'report',
    title: 'Report a message, or appeal',
    description:
      'A private note to the operators about a message, an appeal against a decision about it, or an error of a selection. Nothing becomes public. The same call again never reports twice; look_up with report_id = request_id says what became of it.',
    notes: { request_id: 'A fresh UUID for each report; keep it.' },
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
    template: {
      request_id: 'FRESH_UUID',
      kind: 'report',
      message_id: 'ID_OF_A_MESSAGE',
      reason: 'other',
      detail: 'YOUR_TEXT',
    },
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
    'selection_not_found',
    'request_id_conflict',
    'too_long',
  ],
  limits: LIMITS,
  counter: COUNTER,
  handle: (ctx) => async (asked) => {
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

type AskedReport = Pick<
  Asked<unknown, unknown, ReportRequest>,
  'body' | 'req' | 'network' | 'reported'
>;

export async function takeReport(ctx: Context, asked: AskedReport) {
  const { row, fresh } = await filed(ctx, asked);
  // A retry repeats the receipt; the present state is at `status_url`.
  const first = { ...row, status: 'received' } as const;
  return { receipt: reportView(first, null, ctx.config.baseUrl), fresh };
}

type Filed = { row: ShownReport; fresh: boolean };

async function filed(ctx: Context, asked: AskedReport): Promise<Filed> {
  const { body: request, req } = asked;
  const subject = subjectOf(request);
  const hash = reportIdentity(ctx.keys.server, request);
  const known = await findReport(ctx.writes, request.request_id);
  if (known !== null) return { row: exactly(known, hash), fresh: false };
  const message = await checkSubject(ctx.writes, subject);
  const counters = await ctx.networkKeys.counterKeys(asked.network());
  const { limits } = ctx;
  const now = ctx.clock.now();
  const remark = await remarkOn(ctx, request, message, now);
  return await ctx.writes.transaction(async (tx) => {
    const row = newReport(request, subject, hash, remark, now);
    if (await insertReport(tx, row)) {
      requestState(req).spent = await takeBudgets(tx, {
        checks: reportChecks(counters),
        reported: asked.reported(counters),
        limits,
        now,
      });
      if (request.kind === 'appeal') await reopen(tx, subject, now);
      return { row, fresh: true };
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

/** Null for a card. Removed messages can be reported, too. */
async function checkSubject(
  { manager }: Sql,
  { messageId, cardId }: ReportSubject,
): Promise<Message | null> {
  if (messageId !== null) {
    const message = await manager.findOneBy(Message, { id: messageId });
    if (message !== null) return message;
    throw new BoardError(
      'message_not_found',
      'No message of this board has this ID.',
      { field: 'message_id' },
    );
  }
  const [selectionId = 0, n = 0] = cardId.split('-').map(Number);
  if (await manager.existsBy(SelectionCard, { selectionId, n })) return null;
  throw new BoardError(
    'selection_not_found',
    'No selection has this card; card_id is that of /api/selections.',
    { field: 'card_id' },
  );
}

async function reopen(
  tx: Tx,
  { messageId }: ReportSubject,
  statusAt: number,
): Promise<void> {
  if (messageId === null) return;
  const settled = In(['resolved', 'dismissed']);
  await changeReports(
    tx,
    { messageId, kind: 'report', status: settled },
    { status: 'received', statusAt, claimedBy: null },
  );
}

/** False when the request_id is taken. */
async function insertReport(tx: Tx, row: NewReport): Promise<boolean> {
  const { raw } = await tx.manager
    .createQueryBuilder()
    .insert()
    .into(Report)
    .values(row)
    .orIgnore()
    .returning(CHANGED)
    .updateEntity(false)
    .execute();
  await noteReports(tx, raw);
  return raw.length > 0;
}

/** A retry spends nothing. */
function reportChecks(counters: CounterKeys): BudgetCheck[] {
  const { tenMinutes, day } = windows;
  return [
    ...checksOf('report', networkKey(counters), [
      ['reports_per_network_10_minutes', tenMinutes],
      ['reports_per_network_day', day],
    ]),
    ...checksOf('report', boardKey, [['reports_per_board_day', day]]),
  ];
}
