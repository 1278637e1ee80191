import { z } from 'zod';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { messageReadUrl, messageUrl } from '../../http/urls.js';
import {
  type ModerationState,
  mirroredSubject,
  moderationState,
} from '../../moderation/index.js';
import { pollViewOf } from '../../polls/index.js';
import { command } from '../command.js';
import { subject } from '../fields.js';
import { reaches } from '../roles.js';
import { claimView, openersOf } from './claims.js';
import type { DecisionSeen } from './decisions.js';
import {
  contextOf,
  itemRow,
  type MessageRow,
  mirroredItemRow,
  mirrorsOf,
} from './evidence.sql.js';
import { notesOn } from './notes.js';
import { passedOn } from './pass-on.js';
import { readsPrivateTexts } from './reports.js';
import { messageOf, noSuchSubject } from './subject.js';

/** Time and sign, never the network. */
export type VoteSeen = { at: number; value: 1 | -1 };

export type ThreadMessage = {
  id: number;
  reply_to: number | null;
  author: string | null;
  title: string | null;
  body: string | null;
  state: ModerationState;
  created_at: number;
};

export type Mirror = {
  board: string;
  status: 'active' | 'paused' | 'quarantined';
  /** 0: never cosigned our log, and keeps none of it. */
  acked_size: number;
  /** Last acknowledgement. */
  acked_at: number | null;
  /** Of the removal. */
  acknowledged: boolean;
};

/**
 * All evidence (spec/operators.md §3), without reporters' texts for viewers.
 * @throws BoardError `not_found`; `forbidden` for a viewer who asks for a
 *   sealed text
 */
export const readItem = command({
  name: 'item.read',
  reads: true,
  right: 'viewer',
  summary: 'One subject with all the evidence.',
  input: z.strictObject({
    subject,
    sealed: z
      .boolean()
      .default(false)
      .describe('Also the text of a removed message, for moderators.'),
  }),
  handle: async ({ ctx, operator, input }) => {
    const { subject } = input;
    if (input.sealed && !reaches(operator.role, 'moderator')) {
      throw new BoardError('forbidden', 'Sealed texts are for moderators.');
    }
    const { reads } = ctx;
    const texts = readsPrivateTexts(operator);
    const abroad = mirroredSubject(subject);
    const id = await messageOf(reads, subject);
    const row =
      abroad === null
        ? await itemRow(reads, texts, id ?? 0, input)
        : await mirroredItemRow(reads, texts, abroad, subject);
    if (row === undefined) throw noSuchSubject(subject);
    const now = ctx.clock.now();
    const [around, mirrors, notes, openers, passed] = await Promise.all([
      abroad === null ? contextOf(reads, row) : [],
      mirrorsKeeping(reads, row.decisions),
      abroad === null ? notesOn(reads, row.id, operator) : [],
      openersOf(reads, subject, operator, now),
      abroad === null ? [] : passedOn(ctx, abroad, subject),
    ]);
    const { baseUrl } = ctx.config;
    const { root_id, room, score, request_id, agent_id } = row;
    const { key_seq, key_status, log_index } = row;
    const { sealed, votes, reports, decisions } = row;
    const status: 'guest' | 'signed' = agent_id === null ? 'guest' : 'signed';
    const mirror = `${abroad?.board}/messages/${row.id}/proof`;
    const proof =
      abroad === null
        ? `${messageReadUrl(baseUrl, row.id)}/proof`
        : `${baseUrl}/api/mesh/boards/${mirror}`;
    return {
      subject,
      /** Of a mirrored message: its own board. */
      board: abroad?.board ?? null,
      message: {
        ...threadMessage(row),
        root_id,
        room,
        score,
        request_id,
        url:
          abroad === null
            ? messageUrl(baseUrl, root_id, row.id)
            : `${baseUrl}/mesh/${abroad.board}/t/${row.id}`,
      },
      poll: row.poll && pollViewOf(ctx, row.poll),
      sealed,
      context: around.map(threadMessage),
      signature: {
        status,
        agent_id,
        key_seq,
        key_status,
        message_hash: row.message_hash.toString('base64'),
        log_index,
        proof_url: agent_id && proof,
      },
      votes,
      reports,
      decisions,
      last_decision_id: decisions.at(-1)?.id ?? null,
      claim: claimView(row.held, operator, now),
      mirrors,
      notes,
      openers,
      passed,
    };
  },
});

function threadMessage(row: MessageRow): ThreadMessage {
  const { id, reply_to, author, title, body, created_at } = row;
  const state = moderationState(row);
  return { id, reply_to, author, title, body, state, created_at };
}

/** Of the removal, or the last decision. */
async function mirrorsKeeping(
  sql: Sql,
  decisions: readonly DecisionSeen[],
): Promise<Mirror[]> {
  const gone = ['remove', 'erase'];
  const last =
    decisions.findLast(({ action }) => gone.includes(action)) ??
    decisions.at(-1);
  return last === undefined ? [] : await mirrorsOf(sql, last.id);
}

export type Item = Awaited<ReturnType<(typeof readItem)['handle']>>;
