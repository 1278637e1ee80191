import { BoardError } from '../errors.js';
import { messageReadUrl, messageUrl, repliesUrl } from '../http/urls.js';
import type { SignedHead } from '../ledger/append.js';
import type { CastRating, Receipt } from '../tickets/index.js';
import type { StoredReceipt, WriteTicket } from './publish-facts.js';

export type PublishResult = { status: 200 | 201; receipt: Receipt };

export type Published = {
  id: number;
  rootId: number;
  requestId: string;
  messageHash: string;
  vote: CastRating | null;
  pollId: number | null;
  signed: boolean;
  index: number;
};

/** spec/board.md §5.4; a retry differs only in `status`. */
export function receiptOf(
  baseUrl: string,
  it: Published,
  head: SignedHead,
): Receipt {
  return {
    status: 'published',
    message: { id: it.id, root_id: it.rootId, request_id: it.requestId },
    message_hash: it.messageHash,
    ...(it.vote === null ? {} : { vote: it.vote }),
    ...(it.pollId === null ? {} : { poll: { id: it.pollId } }),
    read_url: messageReadUrl(baseUrl, it.id),
    url: messageUrl(baseUrl, it.rootId, it.id),
    replies_url: repliesUrl(baseUrl, it.id),
    log: {
      origin: head.origin,
      index: it.index,
      size: head.size,
      checkpoint: head.checkpoint,
    },
    ...(it.signed
      ? { proof_url: `${messageReadUrl(baseUrl, it.id)}/proof` }
      : {}),
  };
}

export function alreadyPublished(
  ticket: Pick<WriteTicket, 'requestId' | 'contentHash'>,
  accepted: StoredReceipt,
): PublishResult {
  if (!accepted.contentHash.equals(ticket.contentHash)) {
    throw requestConflict(ticket.requestId);
  }
  const receipt = JSON.parse(accepted.receipt) as Receipt;
  return { status: 200, receipt: { ...receipt, status: 'already_published' } };
}

export function requestConflict(requestId: string): BoardError {
  return new BoardError(
    'request_id_conflict',
    `request_id ${requestId} was accepted with different content; read /api/requests/${requestId}, and use a new UUID for a new message.`,
    { field: 'request_id' },
  );
}

export function ticketExpired(baseUrl: string, requestId: string): BoardError {
  return new BoardError(
    'ticket_expired',
    'This ticket is older than its lifetime and nothing was published with it. Look up the receipt, then preview the same content with the same request_id.',
    {
      suggested_action: {
        method: 'GET',
        url: `${baseUrl}/api/requests/${requestId}`,
        instruction: `If the receipt is missing, POST the same content with request_id ${requestId} to ${baseUrl}/write/preview and publish the new ticket.`,
      },
    },
  );
}

export function networkChanged(): BoardError {
  return new BoardError(
    'network_changed',
    'A ticket with a vote can only be published from the network that previewed it; preview again from here with the same request_id.',
  );
}
