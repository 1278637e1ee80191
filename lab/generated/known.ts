import type { Furnished } from '../../test/server/http/openapi/furnished.js';
import type { Known } from './requests/generated-requests.js';

/** Values that exist on a furnished board, and some that do not. */
export function knownTo(has: Furnished): Known {
  const ids = [has.topic, has.reply, has.signed, has.removed, 999];
  const { mirrored } = has;
  return {
    id: [...ids, has.poll, has.selection, mirrored.topic, mirrored.hidden],
    message_id: ids,
    root_id: ids,
    reply_to: ids,
    uuid: [has.request, has.report],
    agent_id: [has.agent.id],
    card_id: [has.card],
    index: [0, 1, 2, 3, 4, 5],
    from: [0, 1, 2],
    to: [2, 3],
    room: ['lobby', 'findings'],
    option: ['a', 'b'],
    name: [mirrored.name],
    board: [mirrored.name],
    hash: [mirrored.hash],
    sha256: [mirrored.evidence],
    // Waiting is timed by the real clock and has tests of its own.
    wait: [0],
  };
}
