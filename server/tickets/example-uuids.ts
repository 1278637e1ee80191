import type { Request } from 'express';
import type { Context } from '../context.js';
import { Ballot } from '../db/entities/poll.js';
import { RelayOutbox } from '../db/entities/relay-outbox.js';
import { Report } from '../db/entities/report.js';
import { WriteRequest } from '../db/entities/ticket.js';
import { BoardError } from '../errors.js';
import { UUID_COMMAND } from '../http/body/fault-sentence.js';
import { EXAMPLE_UUID } from '../http/openapi/examples.js';
import { withFreshUuid } from '../http/post-action.js';

/** Programs copy them from documents; a test compares these. */
const EXAMPLES: ReadonlySet<string> = new Set([
  EXAMPLE_UUID,
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  // Errors of 0.2.0 had it.
  '123e4567-e89b-12d3-a456-426614174000',
  // /mesh.md, and the worked values of the mesh.
  '16fd2706-8baf-433b-82eb-8c7fada847da',
  '886313e1-3b8a-4372-9b90-0c9aee199e5d',
  '0b8d3a52-6f0e-4c5e-9a55-0d1f5a1b2c01',
  ...[1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`),
]);

/**
 * At the door only, and never of an accepted request (spec/board.md §1.6).
 * @throws BoardError `invalid_input`
 */
export async function refuseExample(
  { writes: { manager } }: Context,
  req: Request,
  requestId: string,
): Promise<void> {
  if (!EXAMPLES.has(requestId)) return;
  for (const accepted of [WriteRequest, Ballot, Report, RelayOutbox]) {
    if (await manager.existsBy(accepted, { requestId })) return;
  }
  throw new BoardError(
    'invalid_input',
    `\`request_id\` ${requestId} is the example; make your own, as ${UUID_COMMAND} does.`,
    { field: 'request_id', suggested_action: withFreshUuid(req) },
  );
}
