import { LIFTED_KEYS } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { LIFTED } from '../../support/lifted.js';
import { until } from '../../support/until.js';
import { HostilePeer, type Mode, peerWith } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, sizeOf } from '../support/two-boards.js';

/** A board and the scripted logs that it mirrors, lying ones among them. */
export type HostileScene = {
  b: TestBoard;
  newLog(name: string): ScriptedLog;
  /** Serves a log, and makes it a confirmed peer of the board. */
  peerOf(
    log: ScriptedLog,
    mode?: Mode,
  ): Promise<{ peer: HostilePeer; originId: number }>;
  caughtUp(originId: number, log: ScriptedLog): Promise<void>;
  stop(): Promise<void>;
};

export async function hostileScene(): Promise<HostileScene> {
  const b = await meshBoard('board-b.example', {
    limits: { ...LIFTED, ...LIFTED_KEYS },
  });
  const peers: HostilePeer[] = [];
  return {
    b,
    newLog: (name) => new ScriptedLog(name, b.clock.now() - 1000),
    peerOf: async (log, mode = () => false) => {
      const peer = await HostilePeer.start(log);
      peers.push(peer);
      peer.mode = mode;
      return { peer, originId: await peerWith(b, peer) };
    },
    caughtUp: async (originId, log) => {
      const isWhole = async () => (await sizeOf(b, originId)) === log.size;
      await until('the whole log', isWhole);
    },
    stop: async () => {
      await b.stop();
      for (const peer of peers) await peer.stop();
    },
  };
}
