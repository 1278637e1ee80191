import { openAlerts } from '../../../server/operations/alerts.js';
import { until } from '../../support/until.js';
import { sizeOf } from '../support/two-boards.js';
import { givenMoving } from './moving-board.js';

const MINUTE_MS = 60_000;

describe('a peer whose new address waits', () => {
  const scene = givenMoving();

  const peerAdmin = () => scene.b.board.peerAdmin;
  const shown = () => peerAdmin().read(scene.log.board);
  const confirm = async (address?: string) => {
    const { log_vkey: key, name } = await shown();
    return await peerAdmin().confirm(name, key, address ? { address } : {});
  };
  const moves = async (url: string) => {
    scene.shows.identity = scene.identity(url);
    await scene.round();
  };
  async function refusal(work: Promise<unknown>) {
    const end = await work.then(
      () => ({}),
      (error: object) => error,
    );
    return end as { code?: string; detail?: string };
  }
  async function alarms() {
    const open = await openAlerts(scene.b.board.context.reads);
    return open.filter(
      ({ kind, subject }) =>
        kind === 'peer_address' && subject === scene.log.board,
    );
  }

  it('calls for an operator once, with both addresses and the command', async () => {
    const { canary, peer, log } = scene;
    await moves(canary.url);
    await scene.round();
    const [alarm, ...more] = await alarms();
    expect(more).to.deep.equal([]);
    expect(alarm).to.include({ subject: log.board, times: 1 });
    const { log_vkey: key } = await shown();
    for (const part of [
      `${canary.url} instead of ${peer.url}`,
      'pulling goes on at the old one',
      `peer confirm ${log.board} '${key}' --address ${canary.url}`,
    ]) {
      expect(alarm?.detail).to.include(part);
    }
  });

  it('is pulled at the new address once that very one is confirmed', async () => {
    const { canary, peer } = scene;
    await moves(canary.url);
    await scene.grows();
    for (const wrong of [peer.url, 'http://127.0.0.1:9', 'nothing']) {
      const { code, detail } = await refusal(confirm(wrong));
      expect(code).to.equal('invalid_input');
      expect(detail).to.include(canary.url);
    }
    expect(canary.hits).to.equal(0);
    const confirmed = await confirm(`${canary.url}/`);
    expect(confirmed).to.include({
      base_url: canary.url,
      pending_address: null,
      pending_identity: null,
    });
    await until('a connection', () => canary.hits > 0);
    await scene.grows();
    await scene.round();
    expect(await alarms()).to.deep.equal([]);
  });

  it('is not confirmed at an address that nobody has seen', async () => {
    const { canary } = scene;
    await moves('http://127.0.0.1:9');
    const { pending_address: seen } = await shown();
    await moves(canary.url);
    const { code } = await refusal(confirm(seen ?? ''));
    expect(code).to.equal('invalid_input');
    expect((await shown()).pending_address).to.equal(canary.url);
  });

  it('is asked at once at its new address, whatever the back-off at the old', async () => {
    const { b, canary, originId, log } = scene;
    await moves(canary.url);
    const retryAt = b.clock.now() + 60 * MINUTE_MS;
    await scene.set({ failures: 20, retryAt });
    log.post();
    await confirm(canary.url);
    await until('the new post', async () => {
      return (await sizeOf(b, originId)) === log.size;
    });
  });

  it('calls for nobody more than once an hour, however often it moves', async () => {
    const { b, log, peer, canary, shows } = scene;
    const places = [canary.url, 'http://127.0.0.1:9', peer.url];
    for (let minute = 0; minute < 65; minute += 1) {
      shows.identity = scene.identity(places[minute % 3] ?? '');
      await scene.round();
      b.clock.advance(MINUTE_MS);
    }
    const [told] = await b.board.context.reads.query<{ times: number }>(
      `SELECT count(*) AS times FROM (SELECT payload FROM admin_pending
           WHERE kind = 'alert' UNION ALL
         SELECT payload FROM admin_event WHERE kind = 'alert') e
       WHERE payload->>'name' = 'peer_address'
         AND payload->>'subject' = $1 AND (payload->>'open')::boolean`,
      [log.board],
    );
    expect(told?.times).to.equal(2);
    expect(canary.hits).to.equal(0);
  });

  it('waits with the newest of its identities, in whatever order they come', async () => {
    const { canary, peer } = scene;
    const [here, older, newest] = [peer.url, 'http://127.0.0.1:9', canary.url];
    const [first, second, third] = [older, here, newest].map((url) =>
      scene.identity(url),
    );
    const sees = async (identity: string | undefined) => {
      scene.shows.identity = identity;
      await scene.round();
      const { pending_address: waits, identity: pinned } = await shown();
      return [waits, pinned];
    };
    const before = (await shown()).identity;
    expect(await sees(third)).to.deep.equal([newest, before]);
    expect(await sees(first)).to.deep.equal([newest, before]);
    expect(await sees(second)).to.deep.equal([newest, second]);
    expect(await sees(first)).to.deep.equal([newest, second]);
    const back = scene.identity(here);
    expect(await sees(back)).to.deep.equal([null, back]);
    expect(await sees(third)).to.deep.equal([null, back]);
  });

  it('may be named by an operator where its old address is dead', async () => {
    const { canary, shows, peer, log } = scene;
    shows.identity = log.identity(canary.url);
    const same = await refusal(peerAdmin().add(canary.url));
    expect(same.code).to.equal('decision_conflict');
    shows.identity = scene.identity(canary.url);
    const added = await peerAdmin().add(canary.url);
    expect(added).to.include({
      base_url: peer.url,
      pending_address: canary.url,
    });
    const moved = await peerAdmin().add(canary.url, {
      confirm: added.log_vkey,
    });
    expect(moved).to.include({ base_url: canary.url, pending_address: null });
    await scene.grows();
  });
});
