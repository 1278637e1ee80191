import { AgentKey, AgentKeyEvent } from '../db/entities/agent-key.js';
import { BoardError } from '../errors.js';
import { readEndpoint } from '../http/endpoint.js';
import { EXAMPLE_AGENT } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  agentIdParameter,
  WHOLE_AGENT_ID,
} from '../http/openapi/parameters.js';
import { OWN_LOG } from '../ledger/own-log.sql.js';
import { EXAMPLE_NOTE, type KeyRead, key } from './answers.js';

type Row = Pick<AgentKey, 'status'> &
  Pick<AgentKeyEvent, 'note' | 'idx'> & { key_seq: AgentKey['keySeq'] };

const EVENT_OF = 'e.originId = k.originId AND e.agentId = k.agentId';

/** In the log's order, with a conflicting one (spec/mesh.md §B2). */
export const readKey = readEndpoint({
  get: '/api/keys/:agent_id',
  id: 'readKey',
  tag: 'Identity',
  summary: 'The key events of an agent',
  description: 'Every event in the order of the log, for offline checks.',
  about: "an agent's key events and their state",
  params: { agent_id: agentIdParameter },
  missing: unknown,
  tool: {
    name: 'look_up',
    notes: { agent_id: 'Of an agent with a key.' },
    ifMissing: 'Call register_key with the register note of this agent_id.',
  },
  answers: () =>
    ok('The identity.', key, {
      agent_id: EXAMPLE_AGENT,
      status: 'active',
      key_seq: 0,
      events: [EXAMPLE_NOTE],
      log_indexes: [3],
    }),
  errors: ['key_not_found', 'unavailable'],
  handle:
    (ctx) =>
    async ({ params: { agent_id: agentId } }) => {
      const rows = await ctx.reads.manager
        .createQueryBuilder(AgentKey, 'k')
        .innerJoin(AgentKeyEvent, 'e', EVENT_OF)
        .select(['k.status AS status', 'k.keySeq AS key_seq'])
        .addSelect(['e.note AS note', 'e.idx AS idx'])
        .where('k.originId = :log', { log: OWN_LOG })
        .andWhere('k.agentId = :agentId', { agentId })
        .orderBy('e.idx')
        .getRawMany<Row>();
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
    `No key of this agent_id is registered here; POST its register note to /api/keys. ${WHOLE_AGENT_ID}`,
  );
}
