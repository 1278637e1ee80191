import type { ProofCosigner } from '../../protocol/proof.js';
import { formatVkey } from '../../protocol/vkey.js';
import {
  assembleProof,
  notSigned,
  proofAnswer,
  proofQuery,
  sendProof,
} from '../../server/agents/index.js';
import { BoardError, unavailable } from '../../server/errors.js';
import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import { exampleTrust } from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import { anyId, bodyQuery } from '../../server/http/openapi/parameters.js';
import { trust } from '../../server/http/send.js';
import { messageText } from '../../server/http/text-form.js';
import { viewOptions } from '../../server/reading/index.js';
import { mirrorPrefix } from '../pull/store/mirror-log.js';
import { meshRead } from '../serve/log-reads.js';
import { type MirroredSingle, schemas } from './answers.js';
import { boardPath, hiddenHere, mirroredBoard } from './mirrored-board.js';
import { findMirrored, mirroredFacts } from './mirrored-rows.sql.js';
import { mirroredMessage, mirroredView, stubOf } from './mirrored-view.js';
import { boardName, exampleMirrored, IDS_THERE } from './parameters.js';

/** Never cached (spec/mesh.md §B9). */
export const readMirroredMessage = readEndpoint({
  get: '/api/mesh/boards/:name/messages/:id',
  id: 'readMirroredMessage',
  tag: 'Mesh',
  summary: 'One mirrored message',
  description:
    'One that its own board removed answers 404 with `moderation_url` there; one whose text is not kept here answers without it.',
  ...meshRead,
  params: { name: boardName, id: anyId },
  missing: unknownMessage,
  query: ({ limits }) => bodyQuery(limits),
  tool: {
    name: 'read_message',
    without: ['full', 'preview'],
    called: { name: 'board' },
    ifMissing: IDS_THERE,
  },
  text: messageText,
  answers: ({ baseUrl }) =>
    ok('The message.', schemas.MirroredSingle, {
      ...exampleMirrored(baseUrl),
      ...exampleTrust(baseUrl),
    }),
  errors: [
    'unknown_board',
    'message_not_found',
    'hidden_by_operator',
    'unavailable',
  ],
  cache: 'no-store',
  handle: (ctx) => {
    const { baseUrl } = ctx.config;
    return async ({ params: { name, id }, query }) => {
      const board = await mirroredBoard(ctx, name);
      const options = viewOptions(ctx, query);
      const row = await findMirrored(ctx.reads, board, id, options);
      if (row === undefined) throw unknownMessage();
      if (row.hidden) throw hiddenHere();
      const view = mirroredView(board, options);
      if (row.status === 'removed') {
        throw new BoardError(
          'message_not_found',
          `Its own board removed message ${id}; moderation_url tells by which decision.`,
          { moderation_url: view.addresses.moderation(id) },
        );
      }
      const item =
        row.body === null
          ? stubOf(row, view)
          : mirroredMessage(row, row.body, view);
      const json: MirroredSingle = { ...item, ...trust(baseUrl) };
      return { json };
    };
  },
});

export function unknownMessage(): BoardError {
  return new BoardError(
    'message_not_found',
    'This node mirrors no message with this ID of that board.',
  );
}

/**
 * By the ORIGIN's log key, with this node's cosignature where it covers the
 * entry; also after removal (spec/mesh.md §B5, §B9).
 */
export const readMirroredProof = readEndpoint({
  get: '/api/mesh/boards/:name/messages/:id/proof',
  id: 'readMirroredProof',
  tag: 'Mesh',
  summary: 'The proof of a mirrored message',
  description:
    "Checks offline with the pinned key of its ORIGIN's log; names this node among the cosigners where it cosigned the checkpoint.",
  ...meshRead,
  params: { name: boardName, id: anyId },
  missing: unknownMessage,
  query: () => proofQuery,
  tool: {
    name: 'read_proof',
    called: { name: 'board', format: 'form' },
    ifMissing: IDS_THERE,
  },
  answers: () => ({ 200: proofAnswer }),
  errors: [
    'unknown_board',
    'message_not_found',
    'not_signed',
    'hidden_by_operator',
    'unavailable',
  ],
  handle: (ctx) => {
    const { vkey } = ctx.keys.mirror;
    const us: ProofCosigner = {
      name: vkey.name,
      vkey: formatVkey(vkey),
      board: ctx.board.name,
    };
    return async ({ params: { name, id }, query: { format }, req, res }) => {
      const board = await mirroredBoard(ctx, name);
      const facts = await mirroredFacts(ctx.reads, board, id, us);
      if (facts === null) throw unknownMessage();
      const { agent_id, size, checkpoint, cosignature } = facts;
      if (agent_id === null && format === undefined) {
        const url = `${boardPath(ctx.config.baseUrl, board.name)}/messages/${id}`;
        throw notSigned(url, mirrorPrefix(board.origin), facts.log_index);
      }
      if (facts.hidden) throw hiddenHere();
      if (size === null || checkpoint === null) {
        throw unavailable(
          'This node has verified the entry but no signed head beyond it yet; ask again in a moment.',
          2,
        );
      }
      const known = { ...facts, size, checkpoint };
      const made = await assembleProof(ctx.reads, id, known, facts.originId);
      const proof =
        cosignature === null
          ? made
          : { ...made, checkpoint: checkpoint + cosignature, cosigners: [us] };
      sendProof(req, res, proof, format);
      return SENT;
    };
  },
});
