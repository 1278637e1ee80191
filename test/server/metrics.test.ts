import os from 'node:os';
import { startBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { freePort } from '../support/free-port.js';
import { given } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';

function outsideAddresses(): string[] {
  const all = Object.values(os.networkInterfaces()).flat();
  return all.flatMap((each) =>
    each?.family === 'IPv4' && !each.internal ? each.address : [],
  );
}

describe('Metrics', () => {
  let port: number;
  const { test } = given(async () => {
    port = await freePort();
    const test = await startBoard({
      env: { ROLES: 'api', METRICS_PORT: String(port) },
    });
    const stop = () => checkLedger(test).then(() => test.stop());
    return { test, stop };
  });

  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.include('text/plain');
    return await answer.text();
  };

  const answers = (host: string) =>
    fetch(`http://${host}/metrics`).then(Boolean, () => false);

  const metric = (text: string, name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );

  it('are off while METRICS_PORT is not set', async () => {
    const plain = await startBoard({ env: { ROLES: 'api' } });
    expect(plain.board.background.metrics).to.equal(null);
    await plain.as().get('/metrics').expect(404);
    await plain.stop();
  });

  it('are served on the loopback alone, at one path', async () => {
    await scrape();
    const other = await fetch(`http://127.0.0.1:${port}/`);
    expect(other.status).to.equal(404);
    const posted = await fetch(`http://127.0.0.1:${port}/metrics`, {
      method: 'POST',
    });
    expect(posted.status).to.equal(404);
    for (const address of outsideAddresses()) {
      expect(await answers(`${address}:${port}`), address).to.equal(false);
    }
  });

  it('are served where METRICS_HOST says, and only there', async () => {
    const env = { ROLES: 'api', METRICS_HOST: '127.0.0.2' };
    const at = await freePort();
    const other = await startBoard({ env: { ...env, METRICS_PORT: `${at}` } });
    const answer = await fetch(`http://127.0.0.2:${at}/metrics`);
    expect(await answer.text()).to.include('# TYPE board_');
    const own = fetch(`http://127.0.0.1:${at}/metrics`);
    expect(await own.catch(() => null)).to.equal(null);
    await other.stop();
  });

  it('have no sample where there is nothing to measure', async () => {
    const text = await scrape();
    for (const name of [
      'board_backup_age_seconds',
      'board_backup_verified_age_seconds',
      'board_certificate_seconds_left', // BASE_URL is http
    ]) {
      expect(text).to.include(`# TYPE ${name} gauge`);
      expect(metric(text, name), name).to.be.NaN;
    }
  });

  it('time requests by route and status, never by address', async () => {
    await publish(test, { title: 'One' });
    await test.as().get('/api/thread/1?last=5');
    await test.as().get('/api/thread/1');
    await test.as().get('/api/thread/77');
    await test.as().get('/secret-path');
    const text = await scrape();
    const count = (labels: string) =>
      metric(text, `board_http_request_seconds_count{${labels}}`);
    expect(count('method="GET",route="/api/thread/:id",status="200"')).to.equal(
      2,
    );
    expect(count('method="GET",route="/api/thread/:id",status="404"')).to.equal(
      1,
    );
    expect(count('method="POST",route="/write/publish",status="201"')).to.equal(
      1,
    );
    expect(count('method="GET",route="unmatched",status="404"')).to.equal(1);
    expect(text).not.to.include('secret-path');
    expect(text).not.to.include('thread/77');
  });

  it('count no waiter while nobody waits and no dashboard is open', () => {
    const { events } = test.board.context;
    for (const channel of ['messages', 'polls', 'hidden', 'admin'] as const) {
      expect(events.waiters(channel), channel).to.equal(0);
    }
  });

  it('time an answer that the client cut short', async () => {
    const cut = new AbortController();
    const waiting = fetch(`${test.url}/api/updates?since=1&wait=25`, {
      signal: cut.signal,
      headers: { 'X-Forwarded-For': '203.0.113.1' },
    }).catch(() => null);
    const { events } = test.board.context;
    while (events.waiters('messages') === 0) {
      await new Promise(setImmediate);
    }
    expect(await scrape()).to.include('board_waiters{channel="messages"} 1');
    const { readLimiter } = test.board.context;
    await until('a place taken', () => readLimiter.taken('board') === 1);
    expect(await scrape()).to.include(
      'board_wait_places_taken{places="board"} 1',
    );
    cut.abort();
    await waiting;
    while (events.waiters('messages') > 0) await new Promise(setImmediate);
    const text = await scrape();
    const labels = 'method="GET",route="/api/updates",status="aborted"';
    expect(
      metric(text, `board_http_request_seconds_count{${labels}}`),
    ).to.equal(1);
  });

  it('tell the size of the log, its queue, job runs and the process', async () => {
    const { jobs } = test.board.background;
    await jobs.runOnce('rotate_keys');
    const text = await scrape();
    expect(metric(text, 'board_ledger_entries')).to.equal(2);
    expect(metric(text, 'board_ledger_queue')).to.equal(0);
    expect(
      metric(text, 'board_job_runs_total{job="rotate_keys",outcome="ran"}'),
    ).to.equal(1);
    expect(text).to.include('board_job_last_seconds{job="rotate_keys"}');
    expect(text).to.include('process_resident_memory_bytes');
    expect(text).to.include('nodejs_eventloop_lag_seconds');
  });

  it('end with the board', async () => {
    const own = await freePort();
    const short = await startBoard({ env: { METRICS_PORT: String(own) } });
    await short.stop();
    expect(await answers(`127.0.0.1:${own}`)).to.equal(false);
  });
});
