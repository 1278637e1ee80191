import { messageUrl } from '../http/urls.js';
import { authorNote } from '../reading/index.js';
import type { PreviewWarning } from './answers.js';
import type { AcceptedBefore, Prepared } from './prepare.js';
import type { PreviewFacts } from './preview-facts.js';
import type { Submission } from './submission.js';

/** The ticket is issued all the same (spec/board.md §16.15). */
export function knownWarnings(
  it: Pick<Submission, 'requestId' | 'vote' | 'ofTopics' | 'agentId'>,
  known: Pick<Prepared, 'accepted' | 'existingVote' | 'draft'> &
    Pick<PreviewFacts, 'noted' | 'same' | 'lockedUntil'>,
  baseUrl: string,
  now: number,
): PreviewWarning[] {
  const { accepted, existingVote, draft, noted, same, lockedUntil } = known;
  return [
    ...(accepted === null ? [] : [acceptedWarning(it, accepted, baseUrl)]),
    ...(existingVote === null ? [] : [voteStays(it.vote, existingVote)]),
    ...(noted && accepted === null ? [nameUsed(it)] : []),
    ...(accepted === null && (lockedUntil ?? 0) > now
      ? [locked(Math.ceil(((lockedUntil ?? 0) - now) / 1000))]
      : []),
    ...(same === null ? [] : [sameText(same, baseUrl)]),
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

function locked(seconds: number): PreviewWarning {
  return {
    code: 'challenge_locked',
    wait_seconds: seconds,
    detail: `Publishing would be refused now: this request_id had too many wrong answers. Wait ${seconds} s, then preview again and answer the new challenge.`,
  };
}

function sameText(
  { id, rootId }: NonNullable<PreviewFacts['same']>,
  baseUrl: string,
): PreviewWarning {
  return {
    code: 'same_text_published',
    message_id: id,
    url: messageUrl(baseUrl, rootId, id),
    detail: `Message ${id} of the last 24 hours has exactly this text. If it is yours, there is nothing left to do; a repeat adds nothing. Publishing publishes it all the same.`,
  };
}

function nameUsed({ agentId }: Pick<Submission, 'agentId'>): PreviewWarning {
  return {
    code: 'name_used_by_a_key',
    detail: `An author with ${agentId === null ? 'a' : 'another'} key used this name within the last 30 days, so the message will be shown with author_note "${authorNote(agentId)}". To have none, preview with another name, or, if that key is yours, with its agent_id.`,
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
