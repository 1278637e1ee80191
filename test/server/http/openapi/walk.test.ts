import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { ERROR_CODES, MEANINGS } from '../../../../server/errors.js';
import { answersOf } from '../../../support/conforms.js';
import { given } from '../../../support/hooks.js';
import { beginWalk } from './walk.js';
import { walkMethods } from './walk-methods.js';
import { walkReads } from './walk-reads.js';
import { walkRelay } from './walk-relay.js';
import { walkTroubles } from './walk-troubles.js';
import { walkWrites } from './walk-writes.js';

/** Each code with its status. */
const CODES = ERROR_CODES.map((code) => `${code} ${MEANINGS[code].status}`);

describe('a walk through every endpoint', () => {
  const walk = given(beginWalk);

  // A helper that looked at one status may have met others before it.
  afterEach(() => {
    expect(walk.watched.problems.splice(0)).to.deep.equal([]);
  });

  walkReads(walk);
  walkWrites(walk);
  walkRelay(walk);
  walkMethods(walk);
  walkTroubles(walk);

  it('has met every answer that is not the board in trouble', () => {
    const { description, met } = walk.watched;
    // 408, 431, 500 and 503 of the board itself, where walkTroubles met few.
    const trouble = / (?:408|429|431|500|503)$/;
    // So has a log that ended and is lost: test/mesh/generation.
    const ended = /^GET \/log\/\S+ 410$/;
    // A full tile needs 256 entries: test/mesh/serve.
    const full = /\/tile\/\S+\{N\} (?:200|304)$/;
    // Of a board that runs unbuilt; this one is built.
    const unbuilt = /^GET \/client\/\S+ 404$/;
    const body = /^POST (?:\S+ (?:413|422)|\/report (?:403|415))$/;
    const log = /(?:^GET \S+ 400|^GET \/write\/preview 400)$/;
    const unmet = [trouble, ended, full, unbuilt, body, log];
    const missed = answersOf(description.document).filter(
      (answer) => !met.has(answer) && !unmet.some((one) => one.test(answer)),
    );
    expect(missed).to.deep.equal([]);
  });

  it('has met every error code, with its status', () => {
    expect([...walk.watched.codes]).to.have.members(CODES);
  });

  it('met the error codes of docs/spec/board.md §12', async () => {
    const spec = await readFile('docs/spec/board.md', 'utf8');
    const [, section = ''] = spec.split('\n## 12. Error codes\n');
    const [table = ''] = section.split('\nWhat a client does:');
    const rows = [...table.matchAll(/^\| (\d{3}) \| (.+) \|$/gm)];
    const listed = rows.flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/`([a-z_]+)`/g)].map(
        ([, code]) => `${code} ${status}`,
      ),
    );
    expect(listed).to.have.members(CODES);
  });
});
