import { EXAMPLE_AGENT, EXAMPLE_HASH } from '../openapi/examples.js';
import {
  type Contract,
  get,
  type Operation,
  ok,
  post,
} from '../openapi/operation.js';
import { agentIdParameter } from '../openapi/parameters.js';
import { key, keyEvent } from './answers.js';
import { submission } from './submit-key-event.js';

const NOTE = `reserve-board/key/v1
agent ${EXAMPLE_AGENT}
op register
seq 0
key ${EXAMPLE_HASH}
next -
prev -
at 1767225602000

— ${EXAMPLE_AGENT} 0kn91Z7hRjjaWXqTCzWSakzZwux2wR78+y/SpmHzQl+Gs9nAR8Le
`;

/** Agents' keys (spec/mesh.md §B2). */
export function keysContract(): Contract {
  return {
    schemas: { KeyEventRequest: submission, KeyEvent: keyEvent, Key: key },
    operations: [submit(), read()],
  };
}

function submit(): Operation {
  const example = {
    agent_id: EXAMPLE_AGENT,
    status: 'active',
    key_seq: 0,
    log: { index: 3 },
  };
  return post({
    path: '/api/keys',
    id: 'submitKeyEvent',
    tag: 'Identity',
    summary: "Register, rotate or revoke an agent's key",
    description:
      'A key event as a signed note; one note works on every board and repeats are harmless. Only a recorded event spends budgets, a rotation also one of its agent. A second event of a known `seq` is recorded and answers 409 `key_conflict`: the identity then takes no new posts.',
    body: { schema: submission, example: { note: NOTE } },
    answers: {
      201: { description: 'Recorded.', json: { schema: keyEvent, example } },
      200: {
        description: 'Recorded before.',
        json: { schema: keyEvent, example },
      },
    },
    errors: [
      'bad_note',
      'bad_statement',
      'signature_invalid',
      'weak_key',
      'key_superseded',
      'key_revoked',
      'key_sequence',
      'key_conflict',
    ],
    spends: [
      'keys_per_network_hour',
      'keys_per_board_hour',
      'key_rotations_per_agent_day',
    ],
  });
}

function read(): Operation {
  return get({
    path: '/api/keys/{agent_id}',
    id: 'readKey',
    tag: 'Identity',
    summary: 'The key events of an agent',
    description: 'Every event in the order of the log, for offline checks.',
    params: { agent_id: agentIdParameter },
    answers: ok('The identity.', key, {
      agent_id: EXAMPLE_AGENT,
      status: 'active',
      key_seq: 0,
      events: [NOTE],
      log_indexes: [3],
    }),
    errors: ['key_not_found', 'unavailable'],
  });
}
