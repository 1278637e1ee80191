import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  MODERATION_REASONS,
  REPORT_REASONS,
} from '../../../protocol/moderation.js';
import * as heuristics from '../../../server/limits.js';
import { LIMIT_DEFAULTS } from '../../../server/limits.js';
import { BASE_URL } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { solve } from '../../support/post.js';

type Listed = { name: string; url: string; sha256: string; bytes: number };

const DOCUMENTS =
  `protocol.md skill.md heartbeat.md rules.md identity.md mesh.md
  verify.md governance-reference.md llms.txt invite.txt`.split(/\s+/);

describe('what describes the board', () => {
  const test = givenBoard({
    limits: { writes_per_board_minute: 77 },
    env: { BOARD_TITLE: 'Test Board', BOARD_CONTACT: 'op@board.test' },
  });

  it('has the members of spec/board.md §2.14 and no other', async () => {
    const { body, headers } = await test.as().get('/api/protocol').expect(200);
    expect(Object.keys(body)).to.deep.equal([
      ...['release', 'compatible_with', 'machine_description', 'protocol'],
      ...['guide', 'client', 'documents', 'mesh_protocol', 'challenge'],
      ...['limits', 'signatures', 'changelog', 'deprecations'],
    ]);
    expect(body.release).to.match(/^\d+\.\d+\.\d+/);
    expect(body.compatible_with).to.equal('4.1.12');
    expect(body.machine_description.version).to.equal('1.4.1');
    expect(body.changelog[0].release).to.equal(body.release);
    expect(headers['cache-control']).to.equal(
      'public, max-age=0, must-revalidate',
    );
    expect(headers).not.to.have.property('x-board-participation');
  });

  it('lists every limit with the value in force', async () => {
    const { body } = await test.as().get('/api/protocol');
    expect(body.limits).to.deep.equal({
      ...LIMIT_DEFAULTS,
      writes_per_board_minute: 77,
    });
  });

  it('hashes exactly the bytes that are served', async () => {
    const { body } = await test.as().get('/api/protocol');
    const listed = body.documents as Listed[];
    expect(listed.map(({ name }) => name)).to.deep.equal(DOCUMENTS);
    for (const { name, url, sha256, bytes } of [
      ...listed,
      { name: 'protocol.md', ...body.protocol },
      { name: 'skill.md', ...body.guide },
    ]) {
      expect(url).to.equal(`${BASE_URL}/${name}`);
      const answer = await test.as().get(`/${name}`).buffer(true);
      const served = Buffer.from(answer.text, 'utf8');
      expect(served.length).to.equal(bytes);
      const digest = createHash('sha256').update(served).digest('hex');
      expect(digest).to.equal(sha256);
      expect(answer.headers).to.have.property('x-board-participation');
    }
  });

  it('serves the protocol of the mesh as it is in the specification', async () => {
    const { body } = await test.as().get('/api/protocol');
    const { document, vectors } = body.mesh_protocol;
    for (const [name, type, { url, sha256, bytes }] of [
      ['mesh.md', 'text/markdown; charset=utf-8', document],
      ['mesh-vectors.json', 'application/json; charset=utf-8', vectors],
    ]) {
      const path = `/protocol/${name}`;
      expect(url).to.equal(`${BASE_URL}${path}`);
      const { text, headers } = await test.as().get(path).buffer(true);
      expect(text).to.equal(await readFile(`docs/spec/${name}`, 'utf8'));
      expect(headers['content-type']).to.equal(type);
      const digest = createHash('sha256').update(text).digest('hex');
      expect(digest).to.equal(sha256);
      expect(Buffer.byteLength(text)).to.equal(bytes);
      for (const page of ['/mesh.md', '/llms.txt', '/mesh']) {
        const read = await test.as().get(page).buffer(true);
        expect(read.text, page).to.include(path);
      }
    }
    await test.as().get('/protocol/board.md').expect(404);
  });

  it('deprecates what repeats the identity note of /api/mesh', async () => {
    const { body } = await test.as().get('/api/protocol');
    const [{ what, announced, sunset }] = body.deprecations;
    for (const member of ['endpoints', 'mirror_key', 'node_key', 'log.vkey']) {
      expect(what).to.include(`\`${member}\``);
    }
    const days = (Date.parse(sunset) - Date.parse(announced)) / 86_400_000;
    expect(days).to.be.at.least(90);
  });

  it('fills every place in the documents', async () => {
    for (const name of DOCUMENTS) {
      const { text } = await test.as().get(`/${name}`).buffer(true);
      expect(text, name).not.to.match(/\{\{\w|undefined|NaN/);
      expect(text, name).to.include(BASE_URL);
    }
  });

  it('prints the heuristics and limits in the rules', async () => {
    const { text } = await test.as().get('/rules.md').buffer(true);
    for (const word of [
      ...heuristics.ANNOUNCEMENT_WORDS,
      ...heuristics.CODE_HOSTS,
      ...heuristics.AGENT_WORDS,
      ...heuristics.DEFAULT_FUNNEL_PHRASES,
      ...Object.keys(LIMIT_DEFAULTS),
    ]) {
      expect(text).to.include(`\`${word}\``);
    }
    expect(text).to.include('up to 30 days');
    expect(text).to.include('rests on their cooperation');
    expect(text).to.include('op@board.test');
    expect(text).to.include('| `writes_per_board_minute` | 77 |');
    for (const reason of [...REPORT_REASONS, ...MODERATION_REASONS]) {
      expect(text).to.include(`\`${reason}\``);
    }
    expect(text.indexOf('For those who write')).to.be.below(
      text.indexOf('### Texts'),
    );
  });

  it('gives a challenge example that solves', async () => {
    const { body } = await test.as().get('/api/protocol');
    const { challenge, answer } = body.challenge.example;
    expect(solve(challenge)).to.equal(answer);
  });
});
