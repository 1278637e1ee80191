import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import { database } from '../../../server/db/sql.js';
import { createDatabase } from '../../support/cluster.js';

/** `ReadyForQuery`, by which a server ends its greeting. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** What a server says to every connection before a fast shutdown. */
function farewell(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mthe server stops'];
  const body = Buffer.from(`${fields.join('\0')}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from('E'), length, body]);
}

/** Stands before a server and lets it stop within its own greeting. */
async function stoppingServer(url: URL): Promise<Server> {
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const server = createServer((client) => {
    const upstream = folder?.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${port}`)
      : connect(port, url.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      if (!chunk.includes(READY)) client.write(chunk);
      else client.end(Buffer.concat([chunk, farewell()]));
    });
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('a database that stops in the packet that greets', () => {
  it('fails the transaction, and does not end the process', async () => {
    const own = await createDatabase();
    const url = new URL(own.url);
    const server = await stoppingServer(url);
    const { port } = server.address() as AddressInfo;
    const pool = new pg.Pool({
      host: '127.0.0.1',
      port,
      user: url.username,
      ...(url.password === '' ? {} : { password: url.password }),
      database: url.pathname.slice(1),
    });
    pool.on('error', () => {});
    const db = database(pool);
    for (const work of [
      () => db.transaction((tx) => tx.query('SELECT 1')),
      () => db.query('SELECT 1'),
    ]) {
      const outcome = await work().then(
        () => 'done',
        () => 'failed',
      );
      expect(outcome).to.equal('failed');
    }
    await pool.end();
    await new Promise((resolve) => server.close(resolve));
    await own.drop();
  });
});
