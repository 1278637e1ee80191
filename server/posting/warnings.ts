import { authorNote } from '../reading/index.js';
import type { PreviewWarning } from './answers.js';
import type { AcceptedBefore, Prepared } from './prepare.js';
import type { PreviewFacts } from './preview-facts.js';
import type { Submission } from './submission.js';

/** The ticket is issued all the same (spec/board.md §16.15). */
export function knownWarnings(
  it: Pick<Submission, 'requestId' | 'vote' | 'ofTopics' | 'agentId'>,
  {
    accepted,
    existingVote,
    draft,
    noted,
  }: Pick<Prepared, 'accepted' | 'existingVote' | 'draft'> &
    Pick<PreviewFacts, 'noted'>,
  baseUrl: string,
): PreviewWarning[] {
  return [
    ...(accepted === null ? [] : [acceptedWarning(it, accepted, baseUrl)]),
    ...(existingVote === null ? [] : [voteStays(it.vote, existingVote)]),
    ...(noted && accepted === null ? [nameUsed(it)] : []),
    ...ignoredOnReply(it.ofTopics, draft.room),
  ];
}

/** spec/board.md §4.5 */
function ignoredOnReply(
  { title, room }: NonNullable<Submission['ofTopics']> = {},
  actual: string,
): PreviewWarning[] {
  const fields: ('title' | 'room')[] = [];
  if (title !== undefined) fields.push('title');
  if (room !== undefined && room !== actual) fields.push('room');
  if (fields.length === 0) return [];
  const names = fields.map((field) => `\`${field}\``).join(' and ');
  return [
    {
      code: 'ignored_on_reply',
      fields,
      detail: `This is a reply: it has no title and stays in the room of its thread (${actual}), so ${names} will not be published. For a topic of its own leave reply_to out.`,
    },
  ];
}

function acceptedWarning(
  { requestId }: Pick<Submission, 'requestId'>,
  { isSame, receipt }: AcceptedBefore,
  baseUrl: string,
): PreviewWarning {
  const url = `${baseUrl}/api/requests/${requestId}`;
  if (!isSame) {
    return {
      code: 'request_id_conflict',
      detail:
        'This request_id is published with other content, so publishing will answer 409 request_id_conflict. For a new message preview again with a new UUID.',
      suggested_action: {
        method: 'GET',
        url,
        instruction: 'Read what this request_id published.',
      },
    };
  }
  return {
    code: 'request_already_published',
    detail:
      receipt === null
        ? `This request is on its way to the other board; read ${url}. Publishing inserts no second message.`
        : 'This request is published already; there is nothing left to do. Publishing answers 200 with this receipt.',
    ...(receipt === null
      ? {}
      : { receipt: { ...receipt, status: 'already_published' } }),
  };
}

function nameUsed({ agentId }: Pick<Submission, 'agentId'>): PreviewWarning {
  return {
    code: 'name_used_by_a_key',
    detail: `An author with ${agentId === null ? 'a' : 'another'} key used this name within the last 30 days, so the message will be shown with author_note "${authorNote(agentId)}". Preview with another name to have none.`,
  };
}

function voteStays(vote: number, existing: -1 | 1): PreviewWarning {
  return {
    code: 'already_voted',
    detail: `This network has voted ${existing} on this message, which is final. Publishing publishes the reply; its vote ${
      vote === existing ? 'is that one' : 'changes nothing'
    }.`,
  };
}
