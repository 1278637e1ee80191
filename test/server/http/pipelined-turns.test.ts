import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createHttpServer } from '../../../server/http/edge/server.js';
import { until } from '../../support/until.js';
import { forSuite, rawGet as get } from './harness.js';

const MANY = 200;
const SPIN_MS = 2; // longer than all that wait may take in one turn

describe('requests of one connection, in turns', () => {
  const begun: string[] = [];
  const held: ServerResponse[] = [];
  let serve: (req: IncomingMessage, res: ServerResponse) => void;
  const server = createHttpServer((req, res) => {
    begun.push(req.url ?? '');
    serve(req, res);
  });
  const open = forSuite(server);

  beforeEach(() => {
    begun.length = 0;
    held.length = 0;
    serve = (_req, res) => void held.push(res);
  });

  it('are begun one after the other, and answered in order', async () => {
    const paths = ['/1', '/2', '/3'];
    const client = await open(paths.map((path) => get(path)).join(''));
    for (const [n, path] of paths.entries()) {
      await until(`${path} to be begun`, () => begun.length > n);
      expect(begun).to.deep.equal(paths.slice(0, n + 1));
      held[n]?.end(`of ${path};`);
    }
    await until('all answers', () => client.got.includes('of /3;'));
    expect(client.got.match(/of \/\d;/g)?.join(' ')).to.equal(
      'of /1; of /2; of /3;',
    );
  });

  it('are forgotten when the client goes', async () => {
    const { socket } = await open(get('/first') + get('/second'));
    await until('the first to be begun', () => held.length === 1);
    socket.resetAndDestroy();
    await until('the end', () => held[0]?.destroyed === true);
    const other = await open(get('/third') + get('/fourth'));
    await until('another to be begun', () => held.length === 2);
    held[1]?.end();
    await until('the one behind it', () => held.length === 3);
    expect(begun).to.deep.equal(['/first', '/third', '/fourth']);
    other.socket.destroy();
  });

  it('leave room for other connections, however many they are', async () => {
    serve = (_req, res) => {
      const end = performance.now() + SPIN_MS;
      while (performance.now() < end);
      res.end();
      if (begun.length === 1) void open(get('/other'));
    };
    await open(get('/many').repeat(MANY));
    await until('all to be begun', () => begun.length === MANY + 1);
    expect(begun.indexOf('/other')).to.be.below(MANY);
  });

  it('are not begun for a reader who takes no answers', async () => {
    const answer = Buffer.alloc(8 * 1024 * 1024, 'a');
    serve = ({ url }, res) => void res.end(url === '/long' ? answer : 'short');
    const slow = await open('');
    slow.socket.pause();
    slow.socket.write(get('/long').repeat(20));
    await until('it to begin', () => begun.length > 0);
    const other = await open(get('/short').repeat(MANY));
    await until('the others', () => begun.length >= MANY + 1);
    await until('their answers', () => other.got.split('short').length > MANY);
    const long = begun.filter((url) => url === '/long');
    expect(long.length).to.be.below(10);
  });
});
