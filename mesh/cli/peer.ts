import { inertLine } from '../../client/cli/inert.js';
import { say } from '../../client/cli/standard-output.js';
import type { Options } from '../../server/cli/command-flags.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { asOperator, type ShownWork } from '../../server/cli/operator-work.js';
import { ask, assertAgreed, canAsk, some } from '../../server/cli/output.js';
import {
  OPTION_NAMES,
  type PeerDetail,
  type PeerHoldings,
  type TrustChange,
} from '../mesh-ports.js';
import { linkText, peerCard, peerTable } from './peer-text.js';

/** Each includes the ones before it. */
const TRUST_HELP = `
Trust, each with the ones before it:
  witness  keep the entries of its log and sign what it has shown; ask for no text
  proofs   check every entry and every text, and keep the entries alone
  mirror   keep the texts too, show them here, and give them to others
  relay    accept posts that the board hands over from its own readers
The other board decides how far it trusts this one.

Content, what is kept of a mirrored board:
  signed   the texts that an agent signed
  all      the texts of guests too; needed to restore a whole board
`;

const CARD = { json: (peer: PeerDetail) => ({ peer }), text: peerCard };
const YES = ['--yes', 'do not ask before texts are deleted'] as const;

const holdingsOf = ({ board }: Readonly<Record<string, unknown>>) =>
  asOperator('peer.holdings', { board: String(board) });

/** `peer …` on the command line (spec/board.md §14.5). */
export const PEER_WORK: ShownWork = {
  'peer.list': { json: (peers) => peers, text: peerTable },
  /** Asks which texts to keep, unless `--content` says it (§16.10). */
  'peer.add': {
    json: (peer) => ({ peer }),
    text: (peer) => [peerCard(peer), linkText(peer)].join('\n'),
    help: TRUST_HELP,
    after: async ({ name: board }, { json, content }) => {
      if (content !== undefined || !canAsk({ json })) return;
      const which = 'Which texts to keep of it, signed or all? [signed] ';
      if ((await ask(which)) !== 'all') return;
      say(
        `${peerCard(await asOperator('peer.trust', { board, content: 'all' }))}\n`,
      );
    },
  },
  'peer.confirm': CARD,
  'peer.trust': {
    ...CARD,
    option: YES,
    help: TRUST_HELP,
    asks: async (input, options) => {
      const { trust, content }: TrustChange = input;
      if (OPTION_NAMES.every((name) => input[name] === undefined)) {
        throw new CommandFailure(
          'Say what to change: a trust (witness, proofs, mirror, relay), --content or --decisions.',
        );
      }
      const held = await holdingsOf(input);
      const keeps = trust === undefined || ['mirror', 'relay'].includes(trust);
      const some = content === 'signed' ? held.guests : 0;
      await agreeToDelete(options, held, keeps ? some : held.texts, [
        `This narrows what is kept of ${held.name}.`,
      ]);
    },
  },
  'peer.limits': CARD,
  'peer.pause': CARD,
  'peer.resume': CARD,
  'peer.block': {
    ...CARD,
    option: YES,
    asks: async (input, options) => {
      const held = await holdingsOf(input);
      await agreeToDelete(options, held, held.texts, [
        `Blocking ${held.name} ends all traffic with it and deletes every text of it that is kept here; "peer pause" keeps them.`,
      ]);
    },
  },
  /** Warns of texts that only this board has. */
  'peer.forget': {
    json: (forgotten) => ({ forgotten }),
    text: ({ name, texts, only_here: onlyHere }) =>
      inertLine(
        `${name} is forgotten, and ${some(texts, 'text')} of it deleted, of which ${onlyHere} were known on no other board.`,
      ),
    option: YES,
    asks: async (input, options) => {
      const held = await holdingsOf(input);
      await agreeToDelete(options, held, null, [
        `Forgetting ${held.name} ends all traffic with it and deletes every text of it that is kept here.`,
        'Its confirmed key, its quarantine and the evidence against it stay, for the day when it is added again.',
      ]);
    },
  },
  'peer.hide': {
    json: (done) => done,
    text: ({ id, board, hidden }) =>
      `Message ${id} of ${board} is ${hidden ? 'hidden here' : 'shown here again'}.`,
  },
};

/**
 * Asks for the board's name; `--yes` in scripts. `deleted` null: always asks.
 * @throws CommandFailure where nobody agrees
 */
async function agreeToDelete(
  options: Options,
  held: PeerHoldings,
  deleted: number | null,
  lines: readonly string[],
): Promise<void> {
  if (options.yes || deleted === 0) return;
  const { name, guests, only_here: onlyHere } = held;
  const counts = `It deletes ${some(deleted ?? held.texts, 'text')}. Of ${name} this board keeps ${some(held.texts, 'text')}, ${guests} of them of guests; ${onlyHere} are known on no other board.`;
  const all = [...lines, counts].map(inertLine);
  await assertAgreed(options, all, inertLine(name), { held });
}
