import { readFile } from 'node:fs/promises';
import { cosign } from '../../../../protocol/checkpoint.js';
import { signatureLine } from '../../../../protocol/note.js';
import { LogState } from '../../../../server/db/entities/log.js';
import { Peer } from '../../../../server/db/entities/peer.js';
import { ERROR_CODES, MEANINGS } from '../../../../server/errors.js';
import { type GateRule, startGate } from '../../../mesh/relay/gate.js';
import { movePeer } from '../../../mesh/relay/linked-boards.js';
import {
  currentPair,
  newAgent,
  register,
  signed,
} from '../../../support/agent.js';
import { answersOf } from '../../../support/conforms.js';
import { given } from '../../../support/hooks.js';
import { preview, request } from '../../../support/post.js';
import { randomBytes } from '../../../support/random.js';
import { rows } from '../../../support/rows.js';
import { PEER, peerOf } from './furnished.js';
import { beginWalk, type Expected, type Walk } from './walk.js';
import { walkMethods } from './walk-methods.js';
import { walkReads } from './walk-reads.js';
import { walkTroubles } from './walk-troubles.js';
import { walkWrites } from './walk-writes.js';

/** What other boards send, and posts for them (spec/mesh.md §B9, §B10). */
function walkRelay({ plain, test, has, read, send }: Walk): void {
  it('takes posts from another node, and hands over its own', async () => {
    const { hash, relayed } = await peerOf(plain);
    // A mirror that was not pulled has no signed head.
    await read(`/mirror/${hash}/checkpoint`, 'unavailable');
    const state = { board: PEER, size: 0 };
    await rows(plain).update(LogState, state, { size: 1 });
    const author = newAgent();
    const body = relayed(author);
    const id = has.topic;
    const parent = { id, hash: randomBytes(32) };
    const hashed = { salt: randomBytes(16), name: 'x', body: 'y' };
    for (const [it, expected] of [
      [body, 201],
      [body, 200],
      [relayed(author, { relay: { at: 0 } }), 'stale_statement'],
      [relayed(author, { relay: { to: 'board-c.example' } }), 'wrong_board'],
      [relayed(author, { statement: { parent } }), 'parent_mismatch'],
      [
        relayed(author, { statement: { parent, vote: 1 } }),
        'vote_not_portable',
      ],
      [relayed(author, { relay: { from: 'b.example' } }), 'peer_not_allowed'],
      [relayed(author, { hashed }), 'bad_content'],
    ] as const) {
      await send('/api/mesh/relay', it, expected);
    }

    const agent = await register(test);
    const post = () => request({ agent_id: agent.id, board: PEER });
    const filled = async (body = post()) => {
      const previewed = await preview(test, body);
      expect(previewed.status, previewed.text).to.equal(200);
      return signed(previewed, currentPair(agent));
    };
    const no = { error: 'peer_not_allowed', detail: 'No.' };
    for (const [rule, expected] of [
      ['drop', 202],
      [{ status: 403, body: no }, 'origin_rejected'],
    ] as [GateRule, Expected][]) {
      const gate = await startGate(plain.url, rule);
      const body = post();
      const template = await filled(body);
      await movePeer(plain, PEER, gate.url);
      await send('/write/publish', template, expected);
      await test.as().get(`/api/requests/${body.request_id}`);
      await gate.stop();
    }
    const set = (status: 'paused' | 'blocked') =>
      rows(plain).update(Peer, { name: PEER }, { status });
    const late = await filled();
    await set('paused');
    await send('/write/preview', post(), 'origin_unreachable');
    await set('blocked');
    await send('/write/publish', late, 'unknown_board');
    await send('/write/preview', post(), 'unknown_board');
    await rows(plain).delete(Peer, { name: PEER });
  });

  it('takes hints and cosignatures', async () => {
    const origin = `${has.mirrored.name}/log`;
    const hint = { origin, size: 1 };
    await send('/api/mesh/hint', hint, 202);
    await send('/api/mesh/hint', { origin }, 'invalid_input');
    const unknown = { ...hint, origin: 'x.example/log' };
    await send('/api/mesh/hint', unknown, 'unknown_origin');
    const { text } = await test.as().get('/log/checkpoint');
    const [body = '', line = ''] = text.split('\n\n');
    const checkpoint = `${body}\n`;
    const now = Math.floor(test.clock.now() / 1000);
    const { mirror } = has.mirrored.keys;
    const cosignature = signatureLine(cosign(checkpoint, now, mirror));
    const whole = { body: checkpoint, log: line, cosignature };
    await send('/api/mesh/cosign', whole, 204);
    await send('/api/mesh/cosign', { ...whole, body: 'x\n' }, 400);
    const other = { ...whole, body: checkpoint.replace('/log', '/log9') };
    await send('/api/mesh/cosign', other, 'unknown_origin');
  });
}

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
