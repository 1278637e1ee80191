import { BoardError } from '../../errors.js';
import { messageUrl } from '../../http/urls.js';
import { CARD_MESSAGE } from '../../moderation/decision-order.js';
import {
  moderationState,
  type StateRow,
} from '../../moderation/decision-state.js';
import { type PollRow, pollOfRoot } from '../../polls/poll-row.js';
import { pollViewOf } from '../../polls/poll-view.js';
import { reaches } from '../roles.js';
import type { ItemInput } from '../schemas/read-commands.js';
import type { ReportSeen } from '../schemas/report-commands.js';
import type {
  DecisionSeen,
  Item,
  Mirror,
  ThreadMessage,
  VoteSeen,
} from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';
import { CLAIM, claimView } from './claims.js';
import { votesOf } from './hidden-topics.js';
import { DECISION_SEEN } from './list-decisions.js';
import { REPORT_SEEN, readsPrivateTexts } from './list-reports.js';

const VOTES_MAX = 2000;
const NEIGHBOURS = 3;

type Shown = StateRow & Omit<ThreadMessage, 'state'>;
type Row = Shown & {
  root_id: number;
  room: Item['message']['room'];
  score: number;
  request_id: string;
  agent_id: string | null;
  key_seq: number | null;
  key_status: Item['signature']['key_status'];
  message_hash: Buffer;
  log_index: number;
  votes: VoteSeen[];
  poll: PollRow | null;
  sealed: Item['sealed'];
  reports: ReportSeen[];
  decisions: DecisionSeen[];
  held: Parameters<typeof claimView>[0];
};

const SHOWN = `m.id, m.reply_to, m.author, m.title, m.body, m.created_at,
  m.removed_by, m.erased_by, m.visibility`;

/** $1 private texts too, $2 the message, $3 the subject, $4 the seal too. */
const ITEM = `SELECT ${SHOWN}, m.root_id, m.room, m.score, m.request_id,
    m.agent_id, m.key_seq, m.message_hash, m.log_index,
    (SELECT k.status FROM agent_key k
      WHERE k.origin_id = 0 AND k.agent_id = m.agent_id) AS key_status,
    ${votesOf('m.id', VOTES_MAX)} AS votes, ${pollOfRoot('m')} AS poll,
    (SELECT json_build_object('title', c.title, 'body', c.body,
        'author', c.author) FROM sealed_content c
      WHERE c.message_id = m.id AND $4::boolean) AS sealed,
    (SELECT coalesce(json_agg(r), '[]') FROM (SELECT ${REPORT_SEEN}
      FROM report p WHERE coalesce(p.message_id, ${CARD_MESSAGE}) = m.id
      ORDER BY p.created_at DESC LIMIT 500) r) AS reports,
    (SELECT coalesce(json_agg(e ORDER BY e.id), '[]') FROM (
      SELECT ${DECISION_SEEN} FROM decision d WHERE d.message_id = m.id) e)
      AS decisions, ${CLAIM} AS held
  FROM message m CROSS JOIN (SELECT $3::text AS subject) s WHERE m.id = $2`;

/** The root, what it answers, and the messages around it. */
const CONTEXT = `SELECT ${SHOWN} FROM message m WHERE m.id IN (
    SELECT unnest(ARRAY[$1::bigint, $3]) UNION ALL
    (SELECT id FROM message WHERE root_id = $1 AND id < $2
      ORDER BY id DESC LIMIT ${NEIGHBOURS}) UNION ALL
    (SELECT id FROM message WHERE root_id = $1 AND id > $2
      ORDER BY id LIMIT ${NEIGHBOURS}))
  AND m.id <> $2 ORDER BY m.id`;

/**
 * One subject with all the evidence (spec/operators.md §3): raw text, thread,
 * proof state, votes over time, reports, decisions, mirrors. Reporters' texts
 * are left out for viewers.
 *
 * @throws BoardError `not_found`; `forbidden` for a viewer who asks for the
 * sealed text of a removed message.
 */
export async function readItem(
  desk: Pick<Desk, 'reads' | 'config' | 'limits' | 'clock'>,
  operator: Operator,
  { subject, sealed }: ItemInput,
): Promise<Item> {
  if (sealed && !reaches(operator.role, 'moderator')) {
    throw new BoardError('forbidden', 'Sealed texts are for moderators.');
  }
  const id = await messageOf(desk, subject);
  const [row] = await desk.reads.query<Row>(ITEM, [
    readsPrivateTexts(operator),
    id,
    subject,
    sealed,
  ]);
  if (row === undefined) throw unknown(subject);
  const [context, mirrors] = await Promise.all([
    desk.reads.query<Shown>(CONTEXT, [row.root_id, row.id, row.reply_to]),
    mirrorsOf(desk, row.decisions),
  ]);
  const { baseUrl } = desk.config;
  return {
    subject,
    message: {
      ...threadMessage(row),
      root_id: row.root_id,
      room: row.room,
      score: row.score,
      request_id: row.request_id,
      url: messageUrl(baseUrl, row.root_id, row.id),
    },
    poll: row.poll === null ? null : pollViewOf(desk, row.poll),
    sealed: row.sealed,
    context: context.map(threadMessage),
    signature: signatureOf(row, baseUrl),
    votes: row.votes,
    reports: row.reports,
    decisions: row.decisions,
    last_decision_id: row.decisions.at(-1)?.id ?? null,
    claim: claimView(row.held, operator),
    mirrors,
  };
}

function unknown(subject: string): BoardError {
  return new BoardError('not_found', `There is no ${subject} on this board.`);
}

/** @throws BoardError `not_found` */
async function messageOf(
  { reads }: Pick<Desk, 'reads'>,
  subject: string,
): Promise<number> {
  const [kind, name = ''] = subject.split(':');
  if (kind === 'message') return Number(name);
  const numbers = name.split('-').map(Number);
  const [row] = await reads.query<{ id: number }>(
    kind === 'poll'
      ? 'SELECT root_id AS id FROM poll WHERE id = $1'
      : `SELECT message_id AS id FROM selection_card
         WHERE selection_id = $1 AND n = $2`,
    numbers,
  );
  if (row === undefined) throw unknown(subject);
  return row.id;
}

function threadMessage(row: Shown): ThreadMessage {
  const { removed_by, erased_by, visibility } = row;
  return {
    id: row.id,
    reply_to: row.reply_to,
    author: row.author,
    title: row.title,
    body: row.body,
    state: moderationState({ removed_by, erased_by, visibility }),
    created_at: row.created_at,
  };
}

function signatureOf(row: Row, baseUrl: string): Item['signature'] {
  const signed = row.agent_id !== null;
  return {
    status: signed ? 'signed' : 'guest',
    agent_id: row.agent_id,
    key_seq: row.key_seq,
    key_status: row.key_status,
    message_hash: row.message_hash.toString('base64'),
    log_index: row.log_index,
    proof_url: signed ? `${baseUrl}/api/messages/${row.id}/proof` : null,
  };
}

/** Who has the removal, or else the last decision, in what it cosigned. */
async function mirrorsOf(
  { reads }: Pick<Desk, 'reads'>,
  decisions: readonly DecisionSeen[],
): Promise<Mirror[]> {
  const gone = ['remove', 'erase'];
  const last =
    decisions.findLast(({ action }) => gone.includes(action)) ??
    decisions.at(-1);
  if (last === undefined) return [];
  return await reads.query<Mirror>(
    `SELECT p.name AS board, p.status, p.acked_size, p.acked_at,
       CASE WHEN d.generation = s.generation THEN p.acked_size > d.log_index
         ELSE EXISTS (SELECT FROM log_state f JOIN log_cosignature k
             ON k.origin_id = f.origin_id AND k.cosigner = p.name || '/mirror'
           WHERE f.closed_at IS NOT NULL AND f.generation = d.generation
             AND k.size > d.log_index) END AS acknowledged
     FROM peer p JOIN decision d ON d.id = $1
       JOIN log_state s ON s.origin_id = 0
     WHERE p.status NOT IN ('blocked', 'pending') ORDER BY p.name`,
    [last.id],
  );
}
