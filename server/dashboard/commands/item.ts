import { Poll } from '../../db/entities/poll.js';
import { SelectionCard } from '../../db/entities/selection.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { messageUrl } from '../../http/urls.js';
import { moderationState } from '../../moderation/index.js';
import { pollViewOf } from '../../polls/index.js';
import { reaches } from '../actions.js';
import type { DecisionSeen, Mirror, ThreadMessage } from '../schemas/views.js';
import { claimView } from './claims.js';
import { command } from './command.js';
import {
  contextOf,
  itemRow,
  type MessageRow,
  mirrorsOf,
} from './evidence.sql.js';
import { readsPrivateTexts } from './reports.js';

/**
 * Raw text, thread, proof state, votes over time, reports, decisions, mirrors
 * (spec/operators.md §3). Viewers get no texts of reporters.
 *
 * @throws BoardError `not_found`; `forbidden` for a viewer who asks for the
 * sealed text of a removed message.
 */
export const readItem = command('item.read', {
  right: 'viewer',
  summary: 'One subject with all the evidence.',
  handle: async (context, operator, input) => {
    const { subject } = input;
    if (input.sealed && !reaches(operator.role, 'moderator')) {
      throw new BoardError('forbidden', 'Sealed texts are for moderators.');
    }
    const { reads } = context;
    const id = await messageOf(reads, subject);
    const texts = readsPrivateTexts(operator);
    const row =
      id === undefined ? undefined : await itemRow(reads, texts, id, input);
    if (row === undefined) {
      const detail = `There is no ${subject} on this board.`;
      throw new BoardError('not_found', detail);
    }
    const [around, mirrors] = await Promise.all([
      contextOf(reads, row),
      mirrorsKeeping(reads, row.decisions),
    ]);
    const { baseUrl } = context.config;
    const { root_id, room, score, request_id, agent_id } = row;
    return {
      subject,
      message: {
        ...threadMessage(row),
        ...{ root_id, room, score, request_id },
        url: messageUrl(baseUrl, root_id, row.id),
      },
      poll: row.poll === null ? null : pollViewOf(context, row.poll),
      sealed: row.sealed,
      context: around.map(threadMessage),
      signature: {
        status: agent_id === null ? 'guest' : 'signed',
        agent_id,
        key_seq: row.key_seq,
        key_status: row.key_status,
        message_hash: row.message_hash.toString('base64'),
        log_index: row.log_index,
        proof_url:
          agent_id === null ? null : `${baseUrl}/api/messages/${row.id}/proof`,
      },
      votes: row.votes,
      reports: row.reports,
      decisions: row.decisions,
      last_decision_id: row.decisions.at(-1)?.id ?? null,
      claim: claimView(row.held, operator),
      mirrors,
    };
  },
});

/** The message behind a subject. */
async function messageOf(
  { manager }: Sql,
  subject: string,
): Promise<number | undefined> {
  const [kind, name = ''] = subject.split(':');
  const [id = 0, n = 0] = name.split('-').map(Number);
  if (kind === 'message') return id;
  if (kind === 'poll') {
    const polls = manager.getRepository(Poll);
    const select = { id: true, rootId: true };
    return (await polls.findOne({ select, where: { id } }))?.rootId;
  }
  const cards = manager.getRepository(SelectionCard);
  return (await cards.findOneBy({ selectionId: id, n }))?.messageId;
}

function threadMessage(row: MessageRow): ThreadMessage {
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

/** Who has cosigned the removal, or without one the last decision. */
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
