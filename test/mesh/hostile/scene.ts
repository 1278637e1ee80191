import { LIFTED_KEYS } from '../../support/agent.js';
import { LIFTED } from '../../support/lifted.js';
import { until } from '../../support/until.js';
import { HostilePeer, type Mode, peerWith } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { meshBoard, sizeOf } from '../support/two-boards.js';

export async function hostileScene() {
  const b = await meshBoard('board-b.example', {
    limits: { ...LIFTED, ...LIFTED_KEYS },
  });
  const peers: HostilePeer[] = [];
  return {
    b,
    newLog: (name: string) => new ScriptedLog(name, b.clock.now() - 1000),
    peerOf: async (log: ScriptedLog, mode: Mode = () => false) => {
      const peer = await HostilePeer.start(log);
      peers.push(peer);
      peer.mode = mode;
      return { peer, originId: await peerWith(b, peer) };
    },
    caughtUp: async (originId: number, log: ScriptedLog) => {
      const isWhole = async () => (await sizeOf(b, originId)) === log.size;
      await until('the whole log', isWhole);
    },
    stop: async () => {
      await b.stop();
      for (const peer of peers) await peer.stop();
    },
  };
}
