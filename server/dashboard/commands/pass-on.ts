import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../../protocol/json.js';
import {
  REPORT_REASONS,
  REPORT_STATUSES,
} from '../../../protocol/moderation.js';
import { signRemovalRequest } from '../../../protocol/removal-request.js';
import { OperatorAudit } from '../../db/entities/operator-session.js';
import { BoardError } from '../../errors.js';
import { mirroredSubject, uuidOf } from '../../moderation/index.js';
import { type CommandContext, command, peersOf } from '../command.js';
import { said, subject } from '../fields.js';
import { mirroredItemRow } from './evidence.sql.js';
import { noSuchSubject } from './subject.js';

/** Leaves room for the note of the node key. */
const WORDS_MAX = 1000;
const SHOWN = 20;
const action = 'report.pass_on';

const refusal = z.object({
  error: z.string().max(100),
  detail: z.string().max(1000),
  retry_after_seconds: z.int().min(1).max(86_400).exactOptional(),
});
const state = z.object({
  status: z.enum(REPORT_STATUSES),
  answer: z.string().max(1000).nullable().default(null),
});
const trail = z.object({
  request_id: z.string(),
  reason: z.enum(REPORT_REASONS),
  /** The alias; the first rows have none. */
  operator: z.string().exactOptional(),
});

/**
 * A plain report at the message's own board, in the operator's words: no
 * reporter's text or UUID leaves (spec/operators.md §2.4). The same words again
 * are the same report.
 * @throws BoardError `origin_unreachable`, `rate_limited` as that board says,
 *   `origin_rejected`
 */
export const passOn = command({
  name: action,
  right: 'moderator',
  summary: "Reports a mirrored message to its own board, in one's own words.",
  input: z.strictObject({
    subject,
    reason: z.enum(REPORT_REASONS),
    words: said(WORDS_MAX).describe('What operators of that board read.'),
  }),
  handle: async ({ ctx, operator, input, audit }) => {
    const { subject, reason, words } = input;
    const abroad = mirroredSubject(subject);
    const row =
      abroad && (await mirroredItemRow(ctx.reads, false, abroad, subject));
    if (!abroad || !row) throw noSuchSubject(subject);
    const { board, mirroredId: message_id } = abroad;
    const hash = createHmac('sha256', ctx.keys.server)
      .update(JSON.stringify(['passed/v1', board, message_id, reason, words]))
      .digest();
    const request_id = uuidOf(hash);
    const note = signRemovalRequest(
      { board, message: row.message_hash, at: ctx.clock.now() },
      ctx.keys.node,
    );
    const { status, json } = await peersOf(ctx).ask(board, '/api/reports', {
      request_id,
      kind: 'report',
      message_id,
      reason,
      detail: `${words}\n\n${note}`,
    });
    // In conflict: an earlier try arrived, with the note of its moment.
    if (status >= 300 && json.error !== 'request_id_conflict') {
      throw refused(board, status, json);
    }
    const answer = { request_id };
    const after = { ...answer, reason, words, operator: operator.alias };
    return await audit(async () => ({ answer, subject, after }));
  },
});

function refused(board: string, status: number, json: object): BoardError {
  const { data: origin_error } = refusal.safeParse(json);
  const { retry_after_seconds = 60 } = origin_error ?? {};
  return status === 429
    ? new BoardError(
        'rate_limited',
        `${board} takes no more reports from this board for ${retry_after_seconds} s; pass it on then.`,
        { retry_after_seconds },
      )
    : new BoardError('origin_rejected', `${board} refuses the report.`, {
        origin_error,
      });
}

/** By the trail; a state is null where that board does not say. */
export async function passedOn(
  { writes: { manager }, peers }: CommandContext,
  { board }: { board: string },
  subject: string,
) {
  const rows = await manager.find(OperatorAudit, {
    where: { action, subject },
    order: { id: 'DESC' },
    take: SHOWN,
  });
  const firsts = new Map(
    rows.map(({ at, operator, after }) => {
      const sent = trail.parse(parseJson(after));
      return [sent.request_id, { operator, ...sent, at }];
    }),
  );
  return await Promise.all(
    [...firsts.values()].map(async (sent) => {
      const path = `/api/reports/${sent.request_id}`;
      const said = await peers?.ask(board, path).catch(() => null);
      const { data } = state.safeParse(said?.json);
      return { ...sent, ...(data ?? { status: null, answer: null }) };
    }),
  );
}
