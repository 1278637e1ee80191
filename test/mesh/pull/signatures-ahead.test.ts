import { judgePage } from '../../../mesh/pull/verify/judge-page.js';
import { PagePreparer } from '../../../mesh/pull/verify/prepare-page.js';
import {
  knowing,
  packTriples,
  SignaturePool,
  type Triple,
  unpackTriples,
} from '../../../mesh/pull/verify/signature-pool.js';
import { utf8 } from '../../../protocol/bytes.js';
import { feedPageFromJson } from '../../../protocol/feed-page.js';
import { ready, verifySignature } from '../../../protocol/signing.js';
import { hex, readVectors } from '../../protocol/support/vectors.js';
import { type Agent, advance, newAgent } from '../../support/agent.js';
import { until } from '../../support/until.js';
import { workerOf } from '../../support/worker-of.js';
import { pageFacts } from '../support/page-facts.js';
import { ScriptedLog } from '../support/scripted-log.js';

const AT = 1_768_478_400_000;
const SOURCE = '../../../mesh/pull/verify/signature-worker.ts';
const worker = new URL(SOURCE, import.meta.url);

type EdgeCase = { key: string; sig: string; msg: string };

function edgeCases(): Triple[] {
  const cases = readVectors<EdgeCase[]>('ed25519-edge-cases.json');
  return cases.map(({ key, sig, msg }) => ({
    signature: hex(sig),
    message: utf8(msg),
    key: hex(key),
  }));
}

const judgedHere = (triples: readonly Triple[]) =>
  triples.map(({ signature, message, key }) =>
    verifySignature(signature, message, key),
  );

describe('signatures judged ahead', () => {
  let pool: SignaturePool;

  before(async () => {
    await ready();
  });

  afterEach(async () => {
    await pool?.close();
    expect(pool?.size ?? 0).to.equal(0);
  });

  it('are judged by threads exactly as here, every edge case', async () => {
    pool = new SignaturePool({ threads: 2, worker });
    const triples = edgeCases();
    const here = judgedHere(triples);
    expect(here.filter((good) => good)).to.have.length(43);
    const few = triples.slice(0, 3);
    const [all, three, one] = await Promise.all([
      pool.judge(triples),
      pool.judge(few),
      pool.judge(triples.slice(7, 8)),
    ]);
    expect(all).to.deep.equal(here);
    expect(three).to.deep.equal(here.slice(0, 3));
    expect(one).to.deep.equal(here.slice(7, 8));
    expect(pool.size).to.equal(2);
  });

  it('travel without loss', () => {
    const triples = edgeCases();
    expect(unpackTriples(packTriples(triples))).to.deep.equal(triples);
    expect(unpackTriples(packTriples([]))).to.deep.equal([]);
  });

  it('count for exactly the bytes they were judged for', () => {
    const [one] = edgeCases();
    if (one === undefined) throw new Error('no case');
    const { signature, message, key } = one;
    const isGood = verifySignature(signature, message, key);
    // The lie shows where the answer came from.
    const lying = knowing([one], [!isGood]);
    expect(lying(signature, message, key)).to.equal(!isGood);
    expect(lying(signature, message.slice(), key.slice())).to.equal(!isGood);
    for (const other of [signature, message, key]) {
      const changed = other.slice();
      changed[0] = (changed[0] ?? 0) ^ 1;
      const triple = [signature, message, key].map((part) =>
        part === other ? changed : part,
      ) as [Uint8Array, Uint8Array, Uint8Array];
      expect(lying(...triple)).to.equal(verifySignature(...triple));
    }
  });

  it('are left to the caller without threads, and after the end', async () => {
    pool = new SignaturePool({ worker: null });
    expect(await pool.judge(edgeCases())).to.equal(null);
    pool = new SignaturePool({ threads: 1, worker });
    expect(await pool.judge([])).to.equal(null);
    expect(pool.size).to.equal(0);
    const asked = pool.judge(edgeCases());
    await pool.close();
    expect(await asked).to.equal(null);
    expect(await pool.judge(edgeCases())).to.equal(null);
  });

  it('are left to the caller when a thread fails', async () => {
    const thrower = workerOf('throw new Error("none")');
    pool = new SignaturePool({ threads: 2, worker: thrower });
    expect(await pool.judge(edgeCases())).to.equal(null);
    await until('the end of the threads', () => pool.size === 0);
    expect(await pool.judge(edgeCases())).to.equal(null);
    expect(pool.size).to.equal(0);
  });

  it('are left to the caller when a thread answers for too few', async () => {
    const text = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => parentPort.postMessage({ good: [true] }));`;
    pool = new SignaturePool({ threads: 1, worker: workerOf(text) });
    expect(await pool.judge(edgeCases())).to.equal(null);
    expect(await pool.judge(edgeCases().slice(0, 1))).to.deep.equal([true]);
  });

  it('end their threads when there is nothing to do, and begin again', async () => {
    pool = new SignaturePool({ threads: 1, worker, idleMs: 1 });
    const triples = edgeCases().slice(0, 20);
    const here = judgedHere(triples);
    expect(await pool.judge(triples)).to.deep.equal(here);
    await until('the end of the thread', () => pool.size === 0);
    expect(await pool.judge(triples)).to.deep.equal(here);
  });

  it('lead to the same judgement of a page', async () => {
    pool = new SignaturePool({ threads: 2, worker });
    const log = new ScriptedLog('board-a.example', AT);
    const known = newAgent();
    const rotating = newAgent();
    const stranger = newAgent();
    const posts = (agent: Agent | null) => {
      for (let n = 0; n < 6; n += 1) log.post({ agent });
    };
    posts(known);
    log.key(rotating);
    posts(rotating);
    advance(rotating, 'rotate');
    log.key(rotating);
    posts(rotating);
    const late = log.post({ agent: rotating });
    const [leaf = ''] = log.leaves.slice(late.index);
    log.leaf(leaf.replace(/\n— \S+ (.{20})./, (line) => `${line}A`));
    posts(stranger);
    posts(null);
    const page = feedPageFromJson(log.page(0, 256, 'all'));
    if (!page.ok) throw new Error(page.reason);
    const facts = pageFacts(log, [known]);
    let judged = 0;
    const preparer = new PagePreparer(
      {
        store: { chains: async () => new Map(facts.chains) },
        judgeAhead: async (triples) => {
          judged += triples.length;
          return await pool.judge(triples);
        },
      },
      1,
    );
    const { leaves, verify } = await preparer.prepare(page.value);
    const ahead = judgePage(leaves, { ...facts, verify });
    const here = judgePage(leaves, facts);
    expect(ahead).to.deep.equal(here);
    expect(judged).to.be.at.least(19);
    const faults = here.entries.map(({ fault }) => fault);
    expect(faults.filter((fault) => fault === null)).to.have.length.above(20);
    expect(faults).to.include('key_unknown');
  });
});
