import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { createDatabase } from '../../support/cluster.js';
import { connected } from '../../support/database.js';

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
async function stoppingServer(
  url: URL,
  isStopping: () => boolean,
): Promise<Server> {
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const server = createServer((client) => {
    const upstream = folder?.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${port}`)
      : connect(port, url.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      if (!isStopping() || !chunk.includes(READY)) client.write(chunk);
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
    let isStopping = false;
    const server = await stoppingServer(url, () => isStopping);
    const { port } = server.address() as AddressInfo;
    const through = new URL(own.url);
    through.searchParams.delete('host');
    through.host = `127.0.0.1:${port}`;
    const { db, end } = await connected(through.href, { max: 2 });
    // The first connection is taken, so each of these makes another one.
    await db.withClient(async () => {
      isStopping = true;
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
    });
    await end();
    await new Promise((resolve) => server.close(resolve));
    await own.drop();
  });
});
