import type { ForeignPost, ForeignRequest } from '../../mesh/mesh-ports.js';
import { parseStatement } from '../../protocol/statement.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import { draftContent } from './draft.js';
import type { WriteTicket } from './find-ticket.js';
import type { SignedNote } from './signed-note.js';

/** A ticket's post by what identifies it; null of one for this board. */
export function foreignRequest({
  draft,
  requestId,
  contentHash,
}: WriteTicket): ForeignRequest | null {
  const { board } = draft;
  return board === undefined ? null : { board, requestId, contentHash };
}

/** A checked ticket for another board, ready to be handed over. */
export function foreignPost(
  request: ForeignRequest,
  { draft, counters: previewCounters }: WriteTicket,
  { note, seq }: SignedNote,
  network: Uint8Array,
  counters: CounterKeys,
): ForeignPost {
  const { submitted, statement } = draft;
  const { agentId } = submitted;
  const parsed = parseStatement(statement);
  if (agentId === null || !parsed.ok) {
    throw new Error('a draft for another board without a signed statement');
  }
  return {
    ...request,
    agentId,
    note,
    keySeq: seq,
    messageHash: Buffer.from(draft.messageHash, 'base64'),
    content: draftContent(draft),
    isTopic: submitted.replyTo === null,
    replyTo: draft.replyTo,
    datedAt: parsed.value.at,
    network,
    counters,
    previewCounters,
  };
}
