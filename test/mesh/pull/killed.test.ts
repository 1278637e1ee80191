import {
  LogCheckpoint,
  LogEntry,
  LogState,
} from '../../../server/db/entities/log.js';
import { MirrorUpdate } from '../../../server/db/entities/mirror.js';
import { MirrorMessage } from '../../../server/db/entities/mirror-message.js';
import { until } from '../../support/until.js';
import { nodeProcess } from '../partitions/mesh-node.js';
import { HostilePeer } from '../support/hostile-peer.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { insertPeer } from '../support/two-boards.js';

const POSTS = 900;

describe('a mirror that is killed during its backfill', () => {
  it('goes on at its cursor and stores every entry once', async () => {
    const { node, db, stop } = await nodeProcess('board-b.example', 'mesh');
    const log = new ScriptedLog('board-a.example', Date.now() - 1000);
    const peer = await HostilePeer.start(log);
    try {
      for (let n = 0; n < POSTS; n += 1) log.post();
      // Small pages: more places to be killed at.
      peer.mode = ({ path: asked, query }) => {
        if (asked === '/log/feed') query.set('limit', '16');
        return false;
      };
      const { board: name, origin, keys } = log;
      const { url } = peer;
      const facts = { name, origin, url, identity: log.identity(url), keys };
      const originId = await db.transaction((tx) =>
        insertPeer(tx, facts, 'mirror', { content: 'all' }, Date.now()),
      );
      const size = async () =>
        (await db.manager.findOneByOrFail(LogState, { originId })).size;
      for (const least of [1, 400]) {
        await until(`${least} entries`, async () => (await size()) >= least);
        await node.end('SIGKILL');
        // What it had sent is done, or given up, before it is counted.
        await until('the end of its connections', async () => {
          const rows = await db.query(
            `SELECT 1 FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()
               AND backend_type = 'client backend'`,
          );
          return rows.length === 0;
        });
        const held = await size();
        for (const entity of [LogEntry, MirrorMessage]) {
          const kept = await db.manager.countBy(entity, { originId });
          expect(kept).to.equal(held);
        }
        const before = peer.asked.length;
        await node.start();
        await until('the next page', () =>
          peer.asked.slice(before).some((one) => one.startsWith('/log/feed')),
        );
        const [first = ''] = peer.asked
          .slice(before)
          .filter((one) => one.startsWith('/log/feed'));
        expect(first).to.contain(`from=${held}&`);
      }
      await until('the whole log', async () => (await size()) === POSTS);
      const whole = { originId, size: POSTS };
      const head = await db.manager.findOneByOrFail(LogCheckpoint, whole);
      expect(head.root).to.eql(Buffer.from(log.root()));
      expect(await db.manager.countBy(MirrorUpdate, {})).to.equal(POSTS);
    } finally {
      await stop();
      await peer.stop();
    }
  });
});
