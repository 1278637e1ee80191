// One file though it is long: a table of crippled peers, each with the line that it gets.
import { checkPeer } from '../../../mesh/check/check-peer.js';
import { PeerClient } from '../../../mesh/pull/fetch/peer-client.js';
import { toBase64 } from '../../../protocol/bytes.js';
import { cosign } from '../../../protocol/checkpoint.js';
import { formatNote, parseNote } from '../../../protocol/note.js';
import { ready } from '../../../protocol/signing.js';
import { formatVkey } from '../../../protocol/vkey.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import { newAgent } from '../../support/agent.js';
import { randomUUID } from '../../support/random.js';
import {
  type Asked,
  HostilePeer,
  type Mode,
  sendJson,
} from '../support/hostile-peer.js';
import { noise, ScriptedLog } from '../support/scripted-log.js';

const AT = Date.parse('2026-01-01T00:00:00Z');

function honestLog(at = AT): ScriptedLog {
  const log = new ScriptedLog('peer.example', at);
  const embedded = log.identity('http://peer.example');
  log.entry({ type: 'board', at, embedded });
  const agent = newAgent();
  log.key(agent);
  const topic = log.post({ agent });
  log.post({ parent: topic });
  return log;
}

const html: Mode = ({ res }) => {
  res.writeHead(200, { 'Content-Type': 'text/html' });
  res.end('<!doctype html><title>Sign in</title>');
  return true;
};

/** Changes the JSON of one path; all else is answered honestly. */
function changed(
  path: string,
  change: (log: ScriptedLog, asked: Asked) => unknown,
) {
  return (log: ScriptedLog): Mode =>
    (asked) => {
      if (asked.path !== path) return false;
      sendJson(asked.res, change(log, asked));
      return true;
    };
}

const pageOf = (log: ScriptedLog, { query }: Asked) =>
  log.page(
    Number(query.get('from')),
    Number(query.get('limit') ?? 256),
    query.get('content') ?? 'none',
  );

const paged = (more: (log: ScriptedLog) => object) =>
  changed('/log/feed', (log, asked) => ({
    ...pageOf(log, asked),
    ...more(log),
  }));

const identity =
  (change: (note: string) => string) => (honest: Record<string, unknown>) => ({
    ...honest,
    identity: change(String(honest.identity)),
  });

type Peer = {
  log?: () => ScriptedLog;
  mode?: (log: ScriptedLog) => Mode;
  document?: (honest: Record<string, unknown>) => unknown;
  /** The level that is broken, the section and a word of what it lacks. */
  lacks: [level: number, section: string, why: RegExp];
};

/** Long, as it is one table: what each peer breaks, and the line that says so. */
const PEERS: Readonly<Record<string, Peer>> = {
  'whose proxy answers with a page of HTML': {
    mode: () => html,
    lacks: [0, 'B6', /HTTP 200, protocol none/],
  },
  'of another protocol': {
    document: (honest) => ({ ...honest, protocol: 'reserve-mesh/2' }),
    lacks: [0, 'B6', /reserve-mesh\/2/],
  },
  'whose identity somebody else signed': {
    document: identity((it) => it.replace('seq 0', 'seq 1')),
    lacks: [0, 'B1.4', /signature_invalid: the signature of \S+\/log$/],
  },
  'whose node key did not sign its identity': {
    document: identity((it) => it.replace(/— \S+\/node .*\n/, '')),
    lacks: [0, 'B1.4', /the signature of peer\.example\/node is missing/],
  },
  'whose node key signed its identity first': {
    document: identity((it) => it.replace(/(— .*\n)(— .*\n)$/, '$2$1')),
    lacks: [0, 'B1.4', /by peer\.example\/node and peer\.example\/log/],
  },
  'whose address ends in a slash': {
    document: identity((it) => it.replace(/^url .*/m, '$&/')),
    lacks: [0, 'B1.4', /bad_statement \(line `url`\)/],
  },
  'that signs with a hyphen': {
    document: identity((it) => it.replaceAll('—', '-')),
    lacks: [0, 'B1.4', /bad_note \(signature line\)/],
  },
  'that names another address': {
    document: (honest) => ({
      ...honest,
      identity: new ScriptedLog('peer.example', AT).identity(
        'https://b.example',
      ),
    }),
    lacks: [0, 'B1.4', /https:\/\/b\.example/],
  },
  'without a feed': {
    mode: () => (asked) => {
      if (asked.path !== '/log/feed') return false;
      sendJson(asked.res, { error: 'not_found', detail: 'No.' }, 404);
      return true;
    },
    lacks: [1, 'B4.6', /http_404/],
  },
  'that leaves an entry out of its pages': {
    mode: changed('/log/feed', (log, asked) => {
      const page = pageOf(log, asked);
      const entries = page.entries.toSpliced(1, 1);
      return { ...page, entries, to: page.to - 1 };
    }),
    lacks: [1, 'B7.1', /does not prove size 3 → 4 \(0 hashes came, 3 are/],
  },
  'whose pages have no proof': {
    mode: paged(() => ({ consistency: [] })),
    lacks: [1, 'B7.1', /from=0&limit=1: .*size 1 → 4 \(0 hashes came, 2 are/],
  },
  'whose proofs begin with zeros': {
    mode: changed('/log/feed', (log, asked) => {
      const page = pageOf(log, asked);
      const [first, ...more] = page.consistency;
      const zeros = first === undefined ? [] : [toBase64(new Uint8Array(32))];
      return { ...page, consistency: [...zeros, ...more] };
    }),
    lacks: [1, 'B7.1', /size 1 → 4 \(its 2 hashes lead to other roots\)/],
  },
  'that has another root than its entries': {
    mode: paged((log) => ({ checkpoint: log.head(4, noise('another')) })),
    lacks: [1, 'B7.1', /its entries have another root/],
  },
  'that never waits': {
    mode: (log) => (asked) => {
      if (!asked.query.has('wait') || asked.query.get('from') !== '4') {
        return false;
      }
      sendJson(asked.res, pageOf(log, asked));
      return true;
    },
    lacks: [1, 'B4.6', /wait=1 was answered .* after \d+ ms/],
  },
  'that calls a cursor ahead of its log by another name': {
    mode: () => (asked) => {
      if (Number(asked.query.get('from')) < 9) return false;
      sendJson(asked.res, { error: 'invalid_input' }, 409);
      return true;
    },
    lacks: [1, 'B4.6', /409 with "invalid_input", not "cursor_ahead"/],
  },
  'whose times are seconds': {
    log: () => honestLog(AT / 1000),
    lacks: [1, 'B1.1', /entry 0 has 1767225600: seconds/],
  },
  'whose clock is three hours ahead': {
    log: () => honestLog(Date.now() + 10_800_000),
    lacks: [1, 'B11.1', /10\d\d\d s ahead .*clock_skew/],
  },
  'without an address for cosignatures': {
    mode: (log) => (asked) => {
      if (asked.path !== '/log/checkpoint') return false;
      asked.res.end(log.head());
      return true;
    },
    lacks: [2, 'B7.4', /HTTP 404/],
  },
  'that logs a text under a signature of another one': {
    log: () => {
      const log = honestLog();
      log.leaf(log.leaves[2]?.replace('room lobby', 'room findings') ?? '');
      return log;
    },
    lacks: [1, 'B7.2', /4: /],
  },
  'whose requests are in capitals, and whose entries lack `via`': {
    log: () => {
      const log = honestLog();
      const leaf = log.leaves[2] ?? '';
      log.leaf(
        leaf.replace(
          /^request .*/m,
          (it) => `${it.slice(0, 8)}A${it.slice(9)}`,
        ),
      );
      log.leaf(leaf.replace('via -\n', ''));
      return log;
    },
    lacks: [1, 'B7.2', /4: bad_entry \(line `request`\), 5: .*no line `via`/],
  },
  'whose identity and post in the log have lines of other keys': {
    log: () => {
      const log = honestLog();
      const [identity = '', , post = ''] = log.leaves;
      log.leaf(identity.replace(/(— .*\n)(— .*\n)$/, '$2$1'));
      log.leaf(post.replace(/— \S+/, `— ${newAgent().id}`));
      return log;
    },
    lacks: [1, 'B7.2', /4: bad_entry \(.*§B4\.2\), 5: bad_entry \(.*§B4\.2\)/],
  },
  'whose pages lack a member, and have another in another form': {
    mode: paged(() => ({ consistency: undefined, to: '4' })),
    lacks: [1, 'B4.6', /corrupt: `to` has another form, no `consistency`/],
  },
  'that miscounts its pages': {
    mode: paged(() => ({ to: 5 })),
    lacks: [1, 'B4.6', /`from` 0 and `to` 5 with 4 entries/],
  },
  'that gives another text than it logged': {
    log: () => {
      const log = honestLog();
      const content = log.contents.get(3) as object;
      log.contents.set(3, { ...content, body: 'Something else.' });
      return log;
    },
    lacks: [1, 'B7.2', /entry 3/],
  },
  'that ignores how many entries were asked for': {
    mode: changed('/log/feed', (log, asked) => {
      asked.query.delete('limit');
      return pageOf(log, asked);
    }),
    lacks: [1, 'B4.6', /limit=1/],
  },
  'that sends texts to those who want none': {
    mode: changed('/log/feed', (log, asked) => {
      asked.query.set('content', 'all');
      return pageOf(log, asked);
    }),
    lacks: [1, 'B4.6', /unasked/],
  },
  'that shows another history in its document': {
    document: (honest) => ({
      ...honest,
      log: { checkpoint: honestLog().head() },
    }),
    lacks: [2, 'B8.2', /another root at 4/],
  },
  'whose consistency proves nothing': {
    mode: changed('/log/consistency', (log) => ({
      ...{ from: 1, to: log.size, hashes: [] },
    })),
    lacks: [2, 'B4.6', /from 1 to 4/],
  },
  'whose feed is a page of HTML': {
    mode: () => (asked) => asked.path === '/log/feed' && html(asked),
    lacks: [1, 'B4.6', /corrupt: no JSON object/],
  },
  'whose feed speaks another protocol': {
    mode: paged(() => ({ protocol: 'reserve-mesh/2' })),
    lacks: [1, 'B4.6', /unsupported_protocol/],
  },
  'whose document is larger than `peer add` takes': {
    document: (honest) => ({ ...honest, more: 'x'.repeat(262_144) }),
    lacks: [0, 'B11.1', /too_large/],
  },
  'whose checkpoint is larger than a mirror takes': {
    mode: changed('/log/checkpoint', () => 'x'.repeat(16_385)),
    lacks: [2, 'B4.6', /too_large/],
  },
  'whose cosignature is of another head than it shows': {
    document: (honest) => {
      const other = new ScriptedLog('other.example', AT).grow(3);
      const log_vkey = formatVkey(other.keys.log.vkey);
      const { mirror } = new ScriptedLog('peer.example', AT).keys;
      const line = cosign('another head\n', 1, mirror);
      const opened = parseNote(other.head());
      if (!opened.ok) throw new Error('the head is none');
      const { text, signatures } = opened.value;
      const both = [...signatures, line];
      const last_checkpoint = formatNote({ text, signatures: both });
      const peer = { name: 'other', log_vkey, last_checkpoint };
      return { ...honest, peers: [peer] };
    },
    lacks: [2, 'B6', /other: its own cosignature/],
  },
};

/** Long, as it is one table: a row for each way to be crippled or to lie. */
describe('peer check of a crippled or lying peer', () => {
  const client = new PeerClient({ allowHttp: true, allowPrivate: true });
  let peer: HostilePeer;
  let document: (honest: Record<string, unknown>) => unknown;

  before(async () => {
    await ready();
    peer = await HostilePeer.start(honestLog());
  });

  after(async () => {
    await client.close();
    await peer.stop();
  });

  /** The two documents of the smallest peer, and one of them changed. */
  function serve({
    log = () => honestLog(),
    mode,
    ...more
  }: Omit<Peer, 'lacks'>) {
    const script = log();
    const lie = mode?.(script);
    peer.log = script;
    document = more.document ?? ((honest) => honest);
    peer.mode = async (asked) => {
      if (await lie?.(asked)) return true;
      if (asked.path !== '/api/mesh') return false;
      const identity = script.identity(peer.url);
      sendJson(asked.res, document({ protocol: 'reserve-mesh/1', identity }));
      return true;
    };
  }

  const check = (level?: number) =>
    checkPeer(peer.url, { client, limits: LIMIT_DEFAULTS, level });

  it('finds nothing to say of two honest documents', async () => {
    serve({});
    const report = await check(1);
    const wrong = report.findings.filter((one) => one.verdict !== 'holds');
    expect(wrong).to.eql([]);
    expect(report).to.include({ highest: 1, holds: true, stated_level: null });
    // No level stated and none asked for: judged by what it serves.
    expect(await check()).to.include({ level: null, highest: 1, holds: true });
  });

  it('holds a peer to the level that it states', async () => {
    serve({ document: (it) => ({ ...it, level: 3 }) });
    expect(await check()).to.include({ level: 3, highest: 1, holds: false });
    serve({ document: (it) => ({ ...it, level: 2 ** 40 }) });
    expect(await check()).to.include({ stated_level: null, highest: 1 });
    serve({ document: (it) => ({ ...it, level: 0 }) });
    expect((await check(1)).findings.at(-1)).to.include({
      ...{ section: 'B6', lacks: 'it states level 0' },
    });
  });

  it('knows on the third page the key, topic and requests of the first', async () => {
    const log = honestLog();
    const agent = newAgent();
    log.key(agent);
    const statement = { request: randomUUID() };
    const parent = log.post({ agent, statement });
    for (let n = 0; n < 600; n += 1) log.post({ agent, parent });
    serve({ log: () => log });
    expect(await check(1)).to.include({ highest: 1, holds: true });
    log.post({ agent, statement });
    const { findings } = await check(1);
    expect(JSON.stringify(findings)).to.include('606: repeated_request');
  });

  it('says what would show a rule that it could not see', async () => {
    const peers = [{ name: 'other', last_checkpoint: honestLog().head() }];
    serve({ document: (it) => ({ ...it, peers }) });
    const { findings } = await check(2);
    const whys = findings.filter(({ verdict }) => verdict === 'unseen');
    expect(whys.map(({ section }) => section)).to.include.members([
      'B6',
      'B7.1',
    ]);
    for (const { why } of whys) expect(why).to.include('`log_vkey`');
  });

  for (const [what, { lacks, ...one }] of Object.entries(PEERS)) {
    const [level, section, why] = lacks;
    it(`names §${section} of one ${what}`, async () => {
      serve(one);
      const report = await check(Math.max(level, 1));
      const found = report.findings.filter(
        (it) => it.section === section && why.test(it.lacks ?? ''),
      );
      expect(found, JSON.stringify(report.findings)).to.have.length.above(0);
      expect(found[0]?.level).to.equal(level);
      const highest = level === 0 ? null : level - 1;
      expect(report).to.include({ highest, holds: false });
    });
  }
});
