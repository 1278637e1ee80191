import { expect } from 'chai';
import { ready } from '../../../protocol/signing.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import {
  type Host,
  type Hosts,
  type Manner,
  simulatedHosts,
} from './simulated-hosts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DEATHS: Manner[] = ['refuses', 'hangs', 'breaks'];

describe('when the mirrors of a dead origin are asked', () => {
  let hosts: Hosts;

  /** An origin that was pulled for a minute, and the first of its mirrors. */
  async function scene(mirrors: number, random = () => 1): Promise<Host> {
    hosts = simulatedHosts(mirrors, random);
    await hosts.pass(MINUTE);
    const [first = hosts.origin] = hosts.mirrors;
    return first;
  }

  before(() => ready);
  afterEach(() => hosts.stop());

  /** From the origin's last success to the first question to the mirror. */
  function patience({ asked }: Host): number {
    const { heardAt } = hosts.origin;
    return (asked.find((at) => at > heardAt) ?? Infinity) - heardAt;
  }

  for (const manner of DEATHS) {
    it(`is within 15 s after a minute where it ${manner}, each time`, async () => {
      const mirror = await scene(1);
      for (let time = 0; time < 3; time += 1) {
        hosts.origin.manner = manner;
        await hosts.pass(10 * MINUTE);
        expect(patience(mirror)).to.be.within(60 * SECOND, 75 * SECOND);
        hosts.origin.manner = 'well';
        hosts.hint();
        await hosts.pass(2 * MINUTE);
      }
    });
  }

  it('is so at every moment of any back-off', async () => {
    const random = randomOf(chosenSeed());
    const mirror = await scene(1, random);
    for (let death = 0; death < 60; death += 1) {
      const { origin } = hosts;
      const steps = 1 + Math.floor(random() * 4);
      for (let step = 0; step < steps; step += 1) {
        origin.manner = DEATHS[Math.floor(random() * 3)] ?? 'refuses';
        await hosts.pass(Math.floor(random() * 40 * SECOND));
      }
      await hosts.pass(2 * MINUTE);
      const told = `death ${death}`;
      expect(patience(mirror), told).to.be.within(60 * SECOND, 75 * SECOND);
      origin.manner = 'well';
      hosts.hint();
      await hosts.pass(Math.floor(random() * MINUTE));
    }
  });

  it('is within 15 s of the moment that one is listed, however late', async () => {
    const mirror = await scene(1);
    const { origin, listed, log } = hosts;
    const sources = listed.splice(0);
    origin.manner = 'refuses';
    await hosts.pass(5 * 60 * MINUTE);
    log.post();
    listed.push(...sources);
    const at = hosts.now();
    await hosts.pass(15 * SECOND);
    expect(mirror.asked[0]).to.be.within(at, at + 15 * SECOND);
    expect(hosts.mirrored()).to.equal(log.size);
  });

  it('comes to a mirror that has more than those before it', async () => {
    await scene(3);
    const { origin, mirrors, log } = hosts;
    const { size } = log;
    for (const mirror of mirrors.slice(0, 2)) mirror.size = () => size;
    origin.manner = 'refuses';
    for (let n = 0; n < 5; n += 1) log.post();
    await hosts.pass(3 * MINUTE);
    expect(hosts.mirrored()).to.equal(log.size);
  });

  it('goes past mirrors that fail, and comes back to them', async () => {
    await scene(4);
    const { origin, mirrors, log } = hosts;
    origin.manner = 'refuses';
    for (const [nth, mirror] of mirrors.entries()) {
      mirror.manner = DEATHS[nth] ?? 'well';
    }
    log.post();
    await hosts.pass(3 * MINUTE);
    expect(hosts.mirrored()).to.equal(log.size);
    for (const mirror of mirrors) mirror.manner = 'refuses';
    await hosts.pass(10 * MINUTE);
    for (const mirror of mirrors.slice(0, 1)) mirror.manner = 'well';
    log.post();
    await hosts.pass(15 * SECOND);
    expect(hosts.mirrored()).to.equal(log.size);
  });

  it('is a few times a minute while all of them fail, and no more', async () => {
    await scene(2);
    const { origin, mirrors } = hosts;
    for (const host of [origin, ...mirrors]) host.manner = 'refuses';
    const tries = origin.asked.length;
    await hosts.pass(30 * MINUTE);
    for (const { asked } of mirrors) {
      expect(asked.length).to.be.within(29 * 3, 30 * 5);
    }
    expect(origin.asked.length - tries).to.be.below(15);
  });

  it('ends at once when the origin says that it lives', async () => {
    const mirror = await scene(1);
    const { origin, log } = hosts;
    const { size } = log;
    mirror.size = () => size;
    origin.manner = 'refuses';
    await hosts.pass(2 * 60 * MINUTE);
    origin.manner = 'well';
    log.post();
    hosts.hint(); // in the middle of a wait at the mirror
    await hosts.pass(1);
    expect(hosts.mirrored()).to.equal(log.size);
    const asked = mirror.asked.length;
    await hosts.pass(10 * MINUTE);
    expect(mirror.asked.length).to.equal(asked);
  });

  it('ends with the first try at which the origin answers', async () => {
    const mirror = await scene(1);
    const { origin } = hosts;
    origin.manner = 'refuses';
    await hosts.pass(5 * MINUTE);
    origin.manner = 'well';
    await hosts.pass(10 * MINUTE);
    const asked = mirror.asked.length;
    await hosts.pass(10 * MINUTE);
    expect(origin.heardAt).to.be.above(hosts.now() - MINUTE);
    expect(mirror.asked.length).to.equal(asked);
  });

  it('leaves an origin without mirrors, and only slow, the time it needs', async () => {
    await scene(0);
    const { origin, log } = hosts;
    origin.manner = 'refuses';
    await hosts.pass(5 * MINUTE);
    origin.manner = 'well';
    origin.slowMs = 20 * SECOND;
    log.post();
    hosts.hint();
    await hosts.pass(MINUTE);
    expect(hosts.mirrored()).to.equal(log.size);
  });
});
