import { setTimeout as pause } from 'node:timers/promises';
import { recordFaults } from '../../faults/report.js';
import { checkLedger } from '../../support/check-ledger.js';
import { FULL, within } from '../../support/full.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { until } from '../../support/until.js';
import { fullMesh, textsOf } from './full-mesh.js';
import { streamOf } from './same-everywhere.js';

const NODES = 5;
const PARTITIONS = FULL ? 30 : 5;
const WRITES = FULL ? 200 : 40;
/** Milliseconds that a partition lasts beyond the writes made in it. */
const LASTS = { least: 5000, most: 30_000 };
/** A write that waits for another board would last as long as a partition. */
const WRITE_MS = within(5000);

/** spec/operators.md §R5 F10. */
describe('a mesh that falls apart and together again', () => {
  const mesh = given(() => fullMesh(NODES));

  it('converges, and neither loses nor doubles a message', async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    const slowest: number[] = [];
    let written = 0;

    /** One write after the other at every node, whatever the links do. */
    const write = async (nth: number, share: number) => {
      const node = mesh.nodes[nth];
      if (node === undefined) throw new Error('no such node');
      for (let n = 0; n < share; n += 1) {
        const started = performance.now();
        const reply = n % 3 === 0 ? {} : { reply_to: 1 };
        await publish(node, { body: `Node ${nth}, text ${n}.`, ...reply });
        slowest.push(performance.now() - started);
        written += 1;
      }
    };
    const share = WRITES / NODES;
    const rounds = Array.from({ length: PARTITIONS }, (_, n) => n);
    for (const round of rounds) {
      const group = new Set(
        mesh.nodes.map((_, n) => n).filter(() => random() < 0.5),
      );
      group.add(round % NODES);
      group.delete((round + 1) % NODES);
      mesh.split(group, random() < 0.5 ? 'drop' : 'cut');
      const least = share * (round / PARTITIONS);
      const most = share * ((round + 1) / PARTITIONS);
      const many = Math.floor(most) - Math.floor(least);
      await Promise.all(mesh.nodes.map((_, nth) => write(nth, many)));
      const ms = LASTS.least + random() * (LASTS.most - LASTS.least);
      // The length of a partition is the fault itself.
      if (FULL) await pause(ms);
      mesh.heal();
    }

    const healed = performance.now();
    let texts: string[][] = [];
    await until('the same texts on every node', async () => {
      texts = await Promise.all(mesh.nodes.map(textsOf));
      return texts.every(
        (held) => held.length === WRITES && `${held}` === `${texts[0]}`,
      );
    }).catch((error: unknown) => {
      const held = texts.map(({ length }) => length);
      throw new Error(`texts held: ${held} of ${WRITES}`, { cause: error });
    });
    const seconds = (performance.now() - healed) / 1000;
    console.log(`      converged ${seconds.toFixed(1)} s after healing`);

    expect(written).to.equal(WRITES);
    expect(Math.max(...slowest)).to.be.below(WRITE_MS);
    expect(texts[0]?.join()).to.not.include('no text');
    for (const node of mesh.nodes) {
      expect(await streamOf(node.url)).to.have.lengthOf(
        WRITES - WRITES / NODES,
      );
      await checkLedger(node);
      await node.stop(); // the database has no room for five that are busy
    }
    await recordFaults({
      test: 'F10',
      seed,
      faults: PARTITIONS,
      acked: written,
      unknown: 0,
    });
  });
});
