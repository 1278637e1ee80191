import { In } from 'typeorm';
import { z } from 'zod';
import type { RelayPort } from '../../mesh/mesh-ports.js';
import { REPORT_KINDS } from '../../protocol/moderation.js';
import type { Context } from '../context.js';
import { Report } from '../db/entities/report.js';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { LongPoll } from '../http/long-poll.js';
import {
  EXAMPLE_UUID,
  exampleMessage,
  exampleTrust,
} from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { requestUuid, waitSeconds } from '../http/openapi/parameters.js';
import { trust } from '../http/send.js';
import { inboxUrl, repliesUrl, threadUrl } from '../http/urls.js';
import { ballotReceipts } from '../polls/index.js';
import { exampleReceipt, type Receipt, relayState } from '../tickets/index.js';
import { type AcceptedRequest, schemas } from './answers.js';
import { publicMessage, viewOptions } from './message-view.js';
import { acceptedMessage } from './messages.sql.js';

/** The message or tombstone with its receipt, or a relay's state. */
export const requestRead = z.union([schemas.AcceptedRequest, relayState]);

/**
 * With the first receipt; a tombstone once removed (spec/board.md §2.9). For
 * another board its state there (spec/mesh.md §B10), waited for while pending.
 */
export const readRequest = readEndpoint({
  get: '/api/requests/:uuid',
  id: 'readRequest',
  tag: 'Posting',
  summary: 'The receipt of an accepted request',
  description:
    'The accepted message, whole, and the receipt of its first publication; of a post for another board, its state there, waited for with `wait` while it is pending. The 404 of a ballot or a report says so in `kind`, with `receipt` or `see`. Any other 404 does not prove that a request in flight cannot complete, but sending the same content with the same UUID again is safe.',
  about: 'the receipt of an accepted `request_id`',
  params: { uuid: requestUuid },
  missing,
  query: ({ limits }) => ({ wait: waitSeconds(limits) }),
  tool: {
    name: 'look_up',
    description:
      'request_id: the receipt of a post; report_id: what became of a report; agent_id: the key events of an identity; nothing: what you may write now.',
    called: { uuid: 'request_id' },
    notes: {
      uuid: 'Of a post.',
      wait: 'Seconds, for another board.',
    },
    ifMissing:
      'Call preview_message, preview_poll_vote or report again, the one that had this request_id, unchanged; it never counts twice.',
  },
  answers: ({ baseUrl }) =>
    ok(
      'The message, or its tombstone, and the receipt; or a state.',
      requestRead,
      {
        ...exampleMessage(baseUrl),
        request_id: EXAMPLE_UUID,
        kind: 'message',
        thread_url: threadUrl(baseUrl, 12),
        replies_url: repliesUrl(baseUrl, 15),
        signature_note: 'A signature proves possession of a key only.',
        ...exampleTrust(baseUrl),
        receipt: exampleReceipt(baseUrl),
      },
    ),
  errors: ['message_not_found', 'unavailable'],
  limits: ['waits_per_network', 'waits_per_board'],
  cache: 'no-store',
  handle: (ctx: Context & { relay: RelayPort }) => {
    const waits = new LongPoll(ctx, 'relays');
    return async ({ params: { uuid }, query: { wait }, req, res }) => {
      const own = await ownRequest(ctx, uuid);
      if (own !== null) return { json: own };
      const state = await waits.until(
        req,
        res,
        wait,
        () => ctx.relay.state(uuid),
        (found) => found?.status !== 'relay_pending',
      );
      if (state !== null) return { json: state };
      throw (await otherRequest(ctx, uuid)) ?? missing();
    };
  },
});

async function ownRequest(
  ctx: Context,
  requestId: string,
): Promise<AcceptedRequest | null> {
  const view = viewOptions(ctx, { preview: 0, full: '1' });
  const row = await acceptedMessage(ctx.reads, requestId, view.referencesMax);
  if (row === undefined) return null;
  const receipt = JSON.parse(row.receipt) as Receipt;
  const message = publicMessage(row, view);
  const { baseUrl } = view;
  return {
    kind: 'message',
    ...message,
    thread_url: threadUrl(baseUrl, row.root_id),
    replies_url: repliesUrl(baseUrl, row.id),
    ...(row.agent_id === null
      ? {}
      : { inbox_url: inboxUrl(baseUrl, row.agent_id) }),
    ...trust(baseUrl),
    receipt,
  };
}

/** Nothing here may turn a ballot or a report into a message. */
async function otherRequest(
  ctx: Context,
  requestId: string,
): Promise<BoardError | null> {
  const [newest, ...others] = await ballotReceipts(ctx, requestId);
  if (newest !== undefined) {
    return new BoardError(
      'message_not_found',
      `No message has this UUID: it is that of a ballot in poll ${newest.poll_id}, which was counted and is final.`,
      {
        kind: 'ballot',
        ...newest,
        ...(others.length > 0 ? { ballots: [newest, ...others] } : {}),
      },
    );
  }
  const isReport = await ctx.reads.manager.existsBy(Report, {
    requestId,
    kind: In([...REPORT_KINDS]),
  });
  if (!isReport) return null;
  return new BoardError(
    'message_not_found',
    'No message has this UUID: it is that of a report, which arrived; `see` has its state.',
    {
      kind: 'report',
      see: `${ctx.config.baseUrl}/api/reports/${requestId}`,
    },
  );
}

function missing(): BoardError {
  return new BoardError(
    'message_not_found',
    'Nothing that was accepted has this UUID; one in flight may still complete. Sending the same request again, message, ballot or report, with the same UUID is safe. By ID a message is /api/messages/<id>.',
  );
}
