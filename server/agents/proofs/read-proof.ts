import { unknownMessage } from '../../errors.js';
import { readEndpoint, SENT } from '../../http/endpoint.js';
import { anyId } from '../../http/openapi/parameters.js';
import { proofAnswer, proofQuery } from './answers.js';
import { ownProof, sendProof } from './proof.js';

/** spec/mesh.md §B5; or the inclusion alone, as C2SP text. */
export const readProof = readEndpoint({
  get: '/api/messages/:id/proof',
  id: 'readProof',
  tag: 'Identity',
  summary: 'The proof of a signed message',
  description:
    'Checks offline with nothing but the pinned key of the log. Also after removal, then without the text and with the entry of the removal.',
  about: 'all that proves a signed message offline',
  params: { id: anyId },
  missing: unknownMessage,
  query: () => proofQuery,
  tool: {
    name: 'read_proof',
    description:
      "With id all that proves offline who signed a message and that it is logged. With message_id or proof the board's own verdict: to be sure run `reserve-board verify`.",
    called: { format: 'form' },
    notes: { format: 'For guests too.' },
    ifMissing: 'Call list_threads or search for IDs of messages.',
  },
  answers: () => ({ 200: proofAnswer }),
  errors: ['message_not_found', 'not_signed', 'unavailable'],
  handle:
    (ctx) =>
    async ({ params: { id }, query: { format }, req, res }) => {
      sendProof(req, res, await ownProof(ctx, id, format), format);
      return SENT;
    },
});
