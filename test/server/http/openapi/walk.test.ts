import { expect } from 'chai';
import { checkLedger } from '../../../support/check-ledger.js';
import { answersOf } from '../../../support/conforms.js';
import { beginWalk, type Walk } from './walk.js';
import { walkMesh } from './walk-mesh.js';
import { walkPages } from './walk-pages.js';
import { walkReads } from './walk-reads.js';
import { walkRelay } from './walk-relay.js';
import { walkWrites } from './walk-writes.js';

describe('a walk through every endpoint', () => {
  let walk: Walk;

  before(async () => {
    walk = await beginWalk();
  });

  after(() => walk.plain.stop());

  // A helper that looked at one status may have met others before it.
  afterEach(() => {
    expect(walk.watched.problems.splice(0)).to.deep.equal([]);
  });

  walkReads(() => walk);
  walkPages(() => walk);
  walkWrites(() => walk);
  walkRelay(() => walk);
  walkMesh(() => walk);

  it('has met every answer that is not the board in trouble', () => {
    const { description, met } = walk.watched;
    // 408, 431, 500 and 503 of the board itself have tests of their own.
    const trouble = / (?:408|429|431|500|503)$/;
    // So has a log that ended and is lost: test/mesh/generation.
    const ended = /^GET \/log\/\S+ 410$/;
    // A full tile needs 256 entries: test/mesh/serve.
    const full = /\/tile\/\S+\{N\} (?:200|304)$/;
    // Of a board that runs unbuilt; this one is built.
    const unbuilt = /^GET \/client\/\S+ 404$/;
    const body = /^POST .* (?:403|413|415|422)$/;
    const log = /(?:^GET \S+ 400|^GET \/write\/preview 400)$/;
    const missed = answersOf(description.document).filter(
      (answer) =>
        !met.has(answer) &&
        !trouble.test(answer) &&
        !ended.test(answer) &&
        !full.test(answer) &&
        !unbuilt.test(answer) &&
        !body.test(answer) &&
        !log.test(answer),
    );
    expect(missed).to.deep.equal([]);
  });

  it('leaves a log that verifies', async () => {
    await checkLedger(walk.plain);
  });
});
