import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { FULL } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { passOn } from '../support/pass-on.js';
import { publish, solve } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { type Serving, serving } from '../support/serving.js';
import { atOnce, draft } from '../support/wire.js';
import { recordFaults, recordNotRun } from './report.js';

/** Whether the proxy replaces X-Forwarded-For or adds to it. */
type Mode = 'overwrites' | 'appends';

/** To headers it does what proxies do; proxies.test.ts has deploy/'s. */
async function startProxy(upstream: string, mode: Mode): Promise<Serving> {
  const server = createServer((req, res) => {
    const client = req.socket.remoteAddress ?? '';
    const given = req.headers['x-forwarded-for'];
    const chain = [given ?? []].flat().join(', ');
    const forwarded =
      mode === 'appends' && chain !== '' ? `${chain}, ${client}` : client;
    const headers = { ...req.headers, 'x-forwarded-for': forwarded };
    passOn(req, res, `${upstream}${req.url}`, headers);
  });
  return await serving(server);
}

const CLAIMS = 500;
const AT_ONCE = 20;
const ACCEPTED = 40;
const HOUR = 3_600_000;
const LIMITS = { previews_per_network_hour: ACCEPTED };
/** Two addresses of this machine that are no proxy's; elsewhere there is one. */
const CLIENTS =
  process.platform === 'linux' ? ['127.0.9.1', '127.0.9.2'] : ['127.0.0.1'];
/** A client at the proxy's own address is one more proxy, where that counts. */
const MODES: Mode[] =
  process.platform === 'linux' ? ['overwrites', 'appends'] : ['overwrites'];

const CLAIMING = [
  ...['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'X-Cluster-Client-IP'],
  ...['CF-Connecting-IP', 'True-Client-IP', 'Fastly-Client-IP', 'Via'],
];
const FIXED = [
  ...['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', 'localhost'],
  ...['unknown', '', ',', ',,,,', 'true', '1', '-', '%00', '"127.0.0.1"'],
  ...['for=127.0.0.1', '10.0.0.1', '192.168.0.1', '169.254.169.254'],
  ...['1.2.3.4:80', '[2001:db8::1]', '2001:db8::1', '999.1.1.1', '1.2.3'],
];

function claims(random: () => number): string[] {
  const byte = () => Math.floor(random() * 256);
  const address = () => [byte(), byte(), byte(), byte()].join('.');
  const longer = () => {
    const count = 1 + Math.floor(random() * 20);
    return Array.from({ length: count }, address).join(', ');
  };
  return Array.from(
    { length: CLAIMS },
    (_, n) => FIXED[n] ?? (n % 2 === 0 ? address() : longer()),
  );
}

/** D8: who somebody is, is not for him to say. */
describe('clients that claim addresses', () => {
  async function previewed(
    port: number,
    claim: string,
    localAddress: string,
  ): Promise<number> {
    const headers = {
      'Content-Type': 'application/json',
      ...Object.fromEntries(CLAIMING.map((name) => [name, claim])),
      Forwarded: `for=${claim}`,
    };
    const path = '/write/preview';
    const asked = request({
      ...{ host: '127.0.0.1', port, localAddress, agent: false },
      ...{ method: 'POST', path, headers },
    });
    asked.end(JSON.stringify(draft(null)));
    const [message] = await once(asked, 'response');
    const answer = message as IncomingMessage;
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode ?? 0;
  }

  /** Each claim by one of the clients; how many of each were let in. */
  async function acceptedOf(port: number): Promise<number[]> {
    const all = claims(randomOf(chosenSeed()));
    const counts = CLIENTS.map(() => 0);
    for (let at = 0; at < CLAIMS; at += AT_ONCE) {
      await atOnce(AT_ONCE, async (n) => {
        const who = (at + n) % CLIENTS.length;
        const client = CLIENTS[who] ?? '';
        const status = await previewed(port, all[at + n] ?? '', client);
        expect(status, all[at + n]).to.be.oneOf([200, 429]);
        if (status === 200) counts[who] = (counts[who] ?? 0) + 1;
      });
    }
    return counts;
  }

  describe('are the network of their socket', () => {
    const env = { TRUST_PROXY: '' };
    const test = givenBoard({ limits: LIMITS, env });

    it(`without a proxy, whatever ${CLAIMS} of them claim`, async () => {
      const counts = await acceptedOf(Number(new URL(test.url).port));
      expect(counts).to.deep.equal(CLIENTS.map(() => ACCEPTED));
      await recordFaults({ test: 'D8 direct', faults: CLAIMS });
    });
  });

  describe('are the network that the proxy saw', () => {
    const test = givenBoard({ limits: LIMITS });
    afterEach(() => test.clock.advance(HOUR));

    for (const mode of MODES) {
      it(`when it ${mode} what ${CLAIMS} of them claim`, async () => {
        const proxy = await startProxy(test.url, mode);
        try {
          const counts = await acceptedOf(proxy.port);
          expect(counts).to.deep.equal(CLIENTS.map(() => ACCEPTED));
          const test = `D8 through a proxy, which ${mode}`;
          await recordFaults({ test, faults: CLAIMS });
        } finally {
          await proxy.stop();
        }
      });
    }
  });
});

const NETWORKS = 200;
const ROUNDS = FULL ? 10 : 1;

/** Each network is an address of its own, and no header says so (B4). */
describe('ratings from real addresses', () => {
  const env = { TRUST_PROXY: '' };
  const test = givenBoard({ lifted: true, env });

  async function send(path: string, body: object, localAddress: string) {
    const headers = {
      'Content-Type': 'application/json',
      'X-Forwarded-For': '198.51.100.7', // believed by nobody
    };
    const options = { method: 'POST', localAddress, headers, agent: false };
    const asked = request(`${test.url}${path}`, options);
    asked.end(JSON.stringify(body));
    const [message] = await once(asked, 'response');
    const answer = message as IncomingMessage;
    let text = '';
    for await (const part of answer.setEncoding('utf8')) text += part;
    const json = JSON.parse(text) as Record<string, unknown>;
    return { status: answer.statusCode ?? 0, body: json };
  }

  it(`count once each, ${NETWORKS} at once`, async () => {
    if (process.platform !== 'linux') {
      await recordNotRun('B4', 'one loopback address only');
      return;
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = (await publish(test)).message;
      const path = `/api/messages/${id}/votes`;
      const answers = await atOnce(NETWORKS, async (n) => {
        const from = `127.0.${1 + (n >> 6)}.${1 + (n & 63)}`;
        const seen = await send(`${path}/preview`, { vote: 1 }, from);
        const { ticket, challenge } = seen.body;
        const answer = solve(String(challenge));
        const first = await send(path, { ticket, answer }, from);
        const again = await send(path, { ticket, answer }, from);
        return [first.status, again.status];
      });
      expect(answers).to.deep.equal(answers.map(() => [201, 200]));
      const { body } = await test.as().get(`/api/messages/${id}`);
      expect(body.score).to.equal(NETWORKS);
    }
    const faults = ROUNDS * NETWORKS;
    await recordFaults({ test: 'B4', faults, acked: faults });
  });
});
