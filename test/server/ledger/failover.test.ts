import { startBoard, type TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { given } from '../../support/hooks.js';
import { preview, publish } from '../../support/post.js';
import type { PostgresServer } from '../../support/postgres-server.js';
import { replicated } from '../../support/replicated.js';
import { until } from '../../support/until.js';

const TOPIC = { title: 'A topic' };

describe('a failover to a replica that lagged', () => {
  const { primary, standby, gate, writer, reader } = given(async () => {
    const servers = await replicated();
    const options = { databaseUrl: servers.gate.url, lifted: true };
    const writer = await startBoard(options);
    const reader = await startBoard({ ...options, clock: writer.clock });
    const stop = async () => {
      await reader.stop();
      await writer.stop();
      await servers.stop();
    };
    return { ...servers, writer, reader, stop };
  });

  const sizeOn = async (server: PostgresServer) => {
    const [row] = await server.query<{ size: number }>(
      'SELECT size::int FROM log_state WHERE origin_id = 0',
    );
    return row?.size ?? 0;
  };

  const errorOf = async (test: TestBoard): Promise<string> => {
    const { status, body } = await preview(test, TOPIC);
    if (status !== 200) return body.error;
    const published = await publish(test, TOPIC).catch((error: Error) => error);
    if (!(published instanceof Error)) return 'published';
    return /"error":\s*"(\w+)"/.exec(published.message)?.[1] ?? 'lost';
  };

  /** Connections that were cut are no answer yet. */
  async function answers(test: TestBoard, error: string): Promise<void> {
    await until(`${error} of a write`, async () => {
      const found = await errorOf(test);
      expect(found).to.be.oneOf([error, 'unavailable', 'lost']);
      return found === error;
    });
  }

  const remembered = ({ board }: TestBoard) =>
    board.context.guard.memory.end?.size;

  it('closes the writes of every process, and signs nothing', async () => {
    await publish(writer, TOPIC);
    await standby.caughtUpWith(primary);
    await standby.end();
    const kept = await sizeOn(primary);
    await publish(writer, TOPIC);
    await publish(writer, TOPIC);
    await until('a note of it', () => remembered(reader) === kept + 2);
    await primary.end('immediate');
    await standby.start();
    await standby.promote();
    gate.leadTo(standby.url());
    // It has written nothing itself, and was told of what is lost.
    await answers(reader, 'log_guard');
    await answers(writer, 'log_guard');
    expect(await sizeOn(standby)).to.equal(kept);
    for (const { board } of [reader, writer]) {
      await until('a closed guard', () => board.context.guard.closed !== null);
      expect(board.context.guard.closed).to.match(
        /^its database has \d+ entries and lacks the end of the log/,
      );
    }
    await writer.as().get('/api/threads').expect(200);
    await writer.as().get('/readyz').expect(503);
  });

  it('opens them again on the primary that has it all', async () => {
    await primary.start();
    gate.leadTo(primary.url());
    for (const test of [writer, reader]) {
      await until('open writes', async () => {
        await test.board.context.guard.check().catch(() => {});
        return test.board.context.guard.closed === null;
      });
      await publish(test, TOPIC);
    }
    await checkLedger(writer);
  });

  it('lets no process write to both of two primaries', async () => {
    const before = await sizeOn(standby);
    gate.leadTo(standby.url());
    await answers(writer, 'log_guard');
    await answers(reader, 'log_guard');
    expect(await sizeOn(standby)).to.equal(before);
    gate.leadTo(primary.url());
    for (const { board } of [writer, reader]) {
      await until('open writes', async () => {
        await board.context.guard.check().catch(() => {});
        return board.context.guard.closed === null;
      });
    }
  });
});
