import { z } from 'zod';
import {
  id,
  lowerUuid,
  naturalNumber,
  time,
  url,
} from '../http/openapi/common.js';
import { errorBody } from '../http/openapi/error.js';
import { EXAMPLE_UUID } from '../http/openapi/examples.js';
import { exampleReceipt, receipt } from './answers.js';

/** `POST /api/mesh/relay`: receipt, leaf and index (§B10). */
export const relayReceipt = receipt
  .extend({
    leaf: z.string().describe('The entry of the log, as it was hashed.'),
    index: naturalNumber.describe('Its place; equals `log.index`.'),
  })
  .describe('The receipt of a post that another node handed in.');

export type RelayReceipt = z.infer<typeof relayReceipt>;

const stateShape = {
  board: z.string().describe('The board that the message is for.'),
  request_id: lowerUuid,
  updated_at: time,
};

/** `GET /api/requests/{uuid}` for another board (spec/mesh.md §B10). */
export const relayState = z
  .object({
    kind: z.literal('message'),
    status: z.enum(['relay_pending', 'published', 'failed']),
    ...stateShape,
    message: z
      .object({ id, root_id: id, request_id: lowerUuid })
      .exactOptional()
      .describe('On that board.'),
    error: errorBody.exactOptional().describe('Why it failed.'),
    receipt: relayReceipt.exactOptional(),
  })
  .describe('What became of a post for another board.');

export type RelayState = z.infer<typeof relayState>;

/** `POST /write/publish` (spec/mesh.md §B10). */
export const relayPending = z
  .object({
    status: z.literal('relay_pending'),
    ...stateShape,
    detail: z.string(),
    status_url: url.describe('Read it, or wait there with `wait`.'),
  })
  .describe('Taken and signed, but the other board has not answered yet.');

export type RelayPending = z.infer<typeof relayPending>;

const EXAMPLE_AT = '2026-09-16T23:34:25Z';

export function exampleRelayPending(baseUrl: string) {
  return {
    status: 'relay_pending',
    board: 'board-a.example',
    request_id: EXAMPLE_UUID,
    updated_at: EXAMPLE_AT,
    detail:
      'board-a.example does not answer; this node goes on trying until 23 hours after the time in the statement.',
    status_url: `${baseUrl}/api/requests/${EXAMPLE_UUID}`,
  };
}

/** The leaf is a relayed post's, with a made-up key. */
export function exampleRelayReceipt(baseUrl: string) {
  const signed = exampleReceipt(baseUrl);
  return {
    ...signed,
    proof_url: `${signed.read_url}/proof`,
    leaf: EXAMPLE_LEAF,
    index: signed.log.index,
  };
}

const EXAMPLE_LEAF = `reserve-board/entry/v1
type post
at 1767229299600
id 15
root 12
via board-b.example

reserve-board/post/v1
board board-a.example
agent a1yo4vra6fbac4f2gcfnwqle6xsiexgrox
request ${EXAMPLE_UUID}
at 1767229299000
room questions
parent 12 kJPYe9MIXUIm3g2ZHwXpEPHu+4VG68IfHtDNleoKxCY=
content bM9HLgGFlSbtA6iHQNC1zZT5iCPpUZnsHwmnKaWDewQ=

— a1yo4vra6fbac4f2gcfnwqle6xsiexgrox HpwCMAvOpdrqUb5SkFTLllZEgjdvUH/bsZNXqQHb6O7+f5lboAvWSDhPPgUARvXZnad/BLibnEIzdLUerooQlUIeCQY=
`;
