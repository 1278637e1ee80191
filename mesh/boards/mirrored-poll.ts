import type { PollContent } from '../../protocol/content.js';
import { publicTime } from '../../server/clock.js';
import type { MirroredPollView } from '../../server/http/openapi/mirrored.js';

type Outcome = NonNullable<MirroredPollView['decision']>['outcome'];

/** What the origin's log says of a topic's poll; times in ms. */
export type MirroredPoll = {
  id: number;
  content: PollContent;
  /** Its `poll` entry, once the origin closed it. */
  close: {
    counts: number[];
    voters: number;
    result: 'selected' | 'tie' | 'insufficient_votes' | 'voided';
    winner: number | null;
    at: number;
  } | null;
  /** What the origin's operators made of a proposal. */
  decision: { outcome: Outcome; at: number } | null;
};

type Proposal = MirroredPollView['proposal'];

const PROPOSAL_OPTIONS = ['support', 'oppose', 'abstain'];
const HOUR_MS = 3_600_000;

type Topic = { id: number; createdAt: number; url: string };

/**
 * A poll of another board in the board's own shape. Ballots are not mirrored:
 * until its closing entry comes nobody here knows the counts, and nobody can
 * vote here.
 */
export function mirroredPoll(
  { id, content, close, decision }: MirroredPoll,
  topic: Topic,
  now: number,
): MirroredPollView {
  const options = content.options ?? PROPOSAL_OPTIONS;
  const hours = content.duration_hours ?? 0;
  const closesAt = topic.createdAt + hours * HOUR_MS;
  const isClosed = close !== null || now >= closesAt;
  const voided = close?.result === 'voided';
  const winner = close?.winner ?? null;
  return {
    id,
    root_id: topic.id,
    type: content.kind === undefined ? 'survey' : 'proposal',
    question: content.question,
    options: [...options],
    ...(content.kind === undefined
      ? {}
      : {
          proposal: {
            kind: content.kind as NonNullable<Proposal>['kind'],
            summary: content.summary ?? null,
          },
        }),
    state: isClosed ? 'closed' : 'open',
    close_reason: isClosed ? (voided ? 'topic_removed' : 'deadline') : null,
    created_at: publicTime(topic.createdAt),
    closes_at: publicTime(closesAt),
    tally: {
      counts: close?.counts ?? null,
      voters: close?.voters ?? null,
      result: close === null || close.result === 'voided' ? null : close.result,
      winner: winner === null ? null : (options[winner] ?? null),
    },
    voting: null,
    decision:
      decision === null
        ? null
        : {
            outcome: decision.outcome,
            decided_at: publicTime(decision.at),
          },
    url: topic.url,
  };
}
