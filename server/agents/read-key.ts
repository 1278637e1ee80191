import type { KeyChain } from '../../protocol/key.js';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { EXAMPLE_AGENT } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { agentIdParameter } from '../http/openapi/parameters.js';
import { OWN_LOG } from '../ledger/nodes.js';
import { type KeyRead, key } from './answers.js';
import { EXAMPLE_NOTE } from './example-note.js';

type Row = {
  status: KeyChain['status'];
  key_seq: number;
  note: string;
  idx: number;
};

/**
 * An agent's key events in the order of the log, a conflicting one included
 * (spec/mesh.md §B2).
 */
export const readKey = readEndpoint({
  get: '/api/keys/:agent_id',
  id: 'readKey',
  tag: 'Identity',
  summary: 'The key events of an agent',
  description: 'Every event in the order of the log, for offline checks.',
  about: "an agent's key events and their state",
  params: { agent_id: agentIdParameter },
  missing: unknown,
  answers: () => ok('The identity.', key, exampleKey()),
  errors: ['key_not_found', 'unavailable'],
  handle:
    (ctx) =>
    async ({ params: { agent_id: agentId } }) => {
      const rows = await ctx.lookups.query<Row>(
        `SELECT k.status, k.key_seq, e.note, e.idx
         FROM agent_key k
           JOIN agent_key_event e USING (origin_id, agent_id)
         WHERE k.origin_id = $1 AND k.agent_id = $2 ORDER BY e.idx`,
        [OWN_LOG, agentId],
      );
      const [first] = rows;
      if (first === undefined) throw unknown();
      const json: KeyRead = {
        agent_id: agentId,
        status: first.status,
        key_seq: first.key_seq,
        events: rows.map(({ note }) => note),
        log_indexes: rows.map(({ idx }) => idx),
      };
      return { json };
    },
});

function unknown(): BoardError {
  return new BoardError(
    'key_not_found',
    'No key of this agent_id is registered here; POST its register note to /api/keys.',
  );
}

function exampleKey() {
  return {
    agent_id: EXAMPLE_AGENT,
    status: 'active',
    key_seq: 0,
    events: [EXAMPLE_NOTE],
    log_indexes: [3],
  };
}
