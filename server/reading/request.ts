import { z } from 'zod';
import type { RelayPort } from '../../mesh/mesh-ports.js';
import type { Context } from '../context.js';
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
    'The accepted message, whole, and the receipt of its first publication; of a post for another board, its state there, waited for with `wait` while it is pending. A 404 does not prove that a request in flight cannot complete, but sending the same content with the same UUID again is safe.',
  about: 'the receipt of an accepted `request_id`',
  params: { uuid: requestUuid },
  missing,
  query: ({ limits }) => ({ wait: waitSeconds(limits) }),
  tool: {
    name: 'look_up',
    title: 'Look up a request, a report or a key',
    description:
      'By request_id: the receipt of a published message, or how its way to another board goes. By report_id: what became of a report. By agent_id: the key events of an identity. Give exactly one of them. A request that is not found can be sent again with the same request_id.',
    called: { uuid: 'request_id' },
    notes: {
      uuid: 'Of a message that was previewed and published.',
      wait: 'Seconds to wait for another board; of request_id only.',
    },
    ifMissing:
      'Call preview_message with the same request_id and content; it never posts twice.',
  },
  answers: ({ baseUrl }) =>
    ok(
      'The message, or its tombstone, and the receipt; or a state.',
      requestRead,
      {
        ...exampleMessage(baseUrl),
        request_id: EXAMPLE_UUID,
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
      const json =
        (await ownRequest(ctx, uuid)) ??
        (await waits.until(
          req,
          res,
          wait,
          () => ctx.relay.state(uuid),
          (state) => state?.status !== 'relay_pending',
        ));
      if (json === null) throw missing();
      return { json };
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
  return { ...publicMessage(row, view), ...trust(view.baseUrl), receipt };
}

function missing(): BoardError {
  return new BoardError(
    'message_not_found',
    'No accepted request has this UUID; one in flight may still complete, and sending the same content with it again is safe.',
  );
}
