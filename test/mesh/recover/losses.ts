import { expect } from 'chai';
import { keepOwnEvidence } from '../../../mesh/witness/keep-evidence.js';
import { signCheckpoint } from '../../../protocol/checkpoint.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { boardKeys } from '../../../server/ledger/board-keys.js';
import { readSeed } from '../../../server/ledger/board-seed.js';
import { commandsOf } from './runbook.js';
import type { Scene } from './scene.js';

export type Loss = {
  page: string;
  next?: string;
  lose(scene: Scene): Promise<void>;
  after?(scene: Scene): Promise<void>;
  isEmptied?: true;
};

const gone = (keepsSeed: boolean) => async (scene: Scene) => {
  await scene.crashMirrored();
  await scene.lost.lose(keepsSeed);
};
const crashed = (scene: Scene) => scene.crashMirrored();
const followed = (scene: Scene) => scene.followed();

export const LOSSES: readonly Loss[] = [
  {
    page: 'clock',
    lose: async (scene) => {
      await scene.stopMirrored();
      await scene.lost.jumpAhead(3_600_000);
      await scene.lost.start();
    },
  },
  { page: 'disk', lose: async () => {} },
  {
    page: 'last-minutes',
    lose: async (scene) => {
      const { lost } = scene;
      await scene.stopMirrored();
      await lost.remember();
      await lost.start();
      await scene.say('In the last minutes.');
      await scene.crashMirrored();
      await lost.rewind();
    },
  },
  { page: 'upgrade', lose: crashed },
  { page: 'log-key-leaked', lose: crashed, after: followed },
  {
    page: 'quarantined',
    lose: async (scene) => {
      await scene.crashMirrored();
      await condemn(scene);
    },
    after: followed,
  },
  { page: 'seed-leaked', lose: crashed, after: followed },
  {
    page: 'backup-and-seed',
    lose: async (scene) => {
      await scene.say('After the backup.');
      await gone(true)(scene);
    },
  },
  {
    page: 'damaged',
    next: 'seed-only',
    lose: async (scene) => {
      const { lost } = scene;
      await scene.say('After the backup.');
      await scene.crashMirrored(() =>
        lost.damage(
          'UPDATE log_entry SET leaf_hash = sha256(leaf_hash) WHERE origin_id = 0 AND idx = 1',
        ),
      );
      await lost.lose(true);
    },
  },
  { page: 'seed-only', lose: gone(true) },
  {
    page: 'peers-only',
    isEmptied: true,
    lose: gone(false),
    after: followed,
  },
  {
    page: 'name-only',
    isEmptied: true,
    lose: async (scene) => {
      await gone(false)(scene);
      await scene.lost.vanish();
    },
    after: async (scene) => {
      const { b, c, lost } = scene;
      for (const { board } of [b, c]) await board.peerAdmin.forget(lost.name);
      await scene.link();
    },
  },
];

export function remedyOf({ page, next }: Loss): string[] {
  return [page, ...(next === undefined ? [] : [next])].flatMap(commandsOf);
}

export function lossOf(page: string): Loss {
  const loss = LOSSES.find((one) => one.page === page);
  if (loss === undefined) throw new Error(`no loss for the page ${page}`);
  return loss;
}

/** Both others see two heads of one size under the board's key. */
async function condemn({ lost, b, c }: Scene): Promise<void> {
  const { config, name } = lost;
  const { origin } = await b.board.peerAdmin.read(name);
  const boardSeed = (await readSeed(config)) ?? '';
  const { log } = boardKeys({ ...config, boardSeed }, name, origin);
  const head = (byte: number) =>
    signCheckpoint({ origin, size: 9, root: Buffer.alloc(32, byte) }, log);
  const [first, second] = [head(1), head(2)];
  const evidence = { origin, logVkey: formatVkey(log.vkey), first, second };
  for (const { board } of [b, c]) {
    expect(await keepOwnEvidence(board.context, evidence)).to.equal('new');
  }
  const peer = await b.board.peerAdmin.read(name);
  expect(peer.status).to.equal('quarantined');
}
