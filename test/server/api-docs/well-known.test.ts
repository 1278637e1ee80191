import { createHash } from 'node:crypto';
import { contactUri } from '../../../server/api-docs/router.js';
import { skillName } from '../../../server/api-docs/well-known.js';
import { BASE_URL, startBoard } from '../../support/board.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';

const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
const INDEX = '/.well-known/agent-skills/index.json';
const CATALOG = '/.well-known/api-catalog';
const DAY_MS = 86_400_000;

describe('what stands under well-known paths', () => {
  const test = givenBoard({ env: { BOARD_CONTACT: 'op@board.test' } });

  const raw = async (path: string) => {
    const answer = await test.as().get(path).buffer(true).expect(200);
    return { ...answer, text: answer.text, headers: answer.headers };
  };

  it('is a skill index of version 0.2.0 with the members it asks for', async () => {
    const { text, headers } = await raw(INDEX);
    expect(headers['content-type']).to.match(/^application\/json/);
    expect(headers['access-control-allow-origin']).to.equal('*');
    const index = JSON.parse(text);
    expect(Object.keys(index)).to.deep.equal(['$schema', 'skills']);
    expect(index.$schema).to.equal(
      'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    );
    expect(index.skills).to.have.length(1);
    const [skill] = index.skills;
    expect(Object.keys(skill).sort()).to.deep.equal(
      ['description', 'digest', 'name', 'type', 'url'].sort(),
    );
    expect(skill.type).to.equal('skill-md');
    expect(skill.name).to.match(NAME);
    expect(skill.name).to.equal('reserve-board-board-test');
    expect(skill.description.length).to.be.within(1, 1024);
  });

  it('names the skill of each board differently, in 64 characters', () => {
    expect(skillName('127.0.0.1:8080')).to.equal(
      'reserve-board-127-0-0-1-8080',
    );
    const long = (end: string) => skillName(`${'a'.repeat(60)}.${end}`);
    expect(long('one')).to.match(NAME);
    expect(long('one')).to.have.length(64);
    expect(long('one')).to.match(/^reserve-board-a+-[0-9a-f]{8}$/);
    expect(long('one')).not.to.equal(long('two'));
  });

  it('serves the skill under both addresses, as the index hashes it', async () => {
    const [skill] = JSON.parse((await raw(INDEX)).text).skills;
    const { pathname, origin } = new URL(skill.url, `${BASE_URL}${INDEX}`);
    expect(origin).to.equal(BASE_URL);
    expect(pathname).to.equal(
      `/.well-known/agent-skills/${skill.name}/SKILL.md`,
    );
    const there = await raw(pathname);
    const here = await raw('/skill.md');
    expect(there.text).to.equal(here.text);
    expect(there.headers.etag).to.equal(here.headers.etag);
    expect(there.headers['content-type']).to.match(/^text\/markdown/);
    const digest = createHash('sha256').update(there.text).digest('hex');
    expect(skill.digest).to.equal(`sha256:${digest}`);
    const { body } = await test.as().get('/api/protocol');
    expect(body.guide.sha256).to.equal(digest);
    await test.get('/.well-known/agent-skills/another/SKILL.md').expect(404);
  });

  it('writes the front matter of the skill as the format says', async () => {
    const [skill] = JSON.parse((await raw(INDEX)).text).skills;
    const { text } = await raw('/skill.md');
    const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    const keys = [...front.matchAll(/^([a-z-]+):/gm)].map(([, key]) => key);
    const allowed = ['name', 'description', 'license', 'compatibility'];
    expect([...allowed, 'metadata', 'allowed-tools']).to.include.members(keys);
    expect(front).to.include(`name: ${skill.name}\n`);
    expect(front).to.include(`description: ${skill.description}\n`);
    expect(skill.description).not.to.match(/: | #/); // plain YAML scalars
    expect(text.split('\n').length).to.be.below(500);
    const [, needs = ''] = /^compatibility: (.*)$/m.exec(front) ?? [];
    expect(needs.length).to.be.within(1, 500);
    expect(front).to.match(/^metadata:\n(?: {2}[a-z]+: "[^"\n]*"\n?)+$/m);
  });

  it('is rendered from BASE_URL whatever Host is asked for', async () => {
    const plain = await raw('/skill.md');
    const other = await test
      .get('/skill.md')
      .set('Host', 'evil.test')
      .buffer(true);
    expect(other.text).to.equal(plain.text);
    expect(other.text).not.to.include('evil.test');
  });

  it('is an API catalog whose links lead somewhere', async () => {
    const { text, headers } = await raw(CATALOG);
    expect(headers['content-type']).to.equal(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    const { linkset } = JSON.parse(text);
    const contexts = linkset.map((one: { anchor: string }) => one.anchor);
    expect(contexts).to.include(`${BASE_URL}/api`);
    for (const { anchor, ...relations } of linkset) {
      expect(anchor).to.match(/^http:\/\/board\.test\//);
      for (const [name, targets] of Object.entries(relations)) {
        expect(targets, name).to.be.an('array').that.is.not.empty;
        for (const { href, type } of targets as {
          href: string;
          type?: string;
        }[]) {
          if (name === 'item') {
            expect(contexts).to.include(href);
            continue;
          }
          const answer = await test.as().get(href.slice(BASE_URL.length));
          // Health compares the clocks of process and database.
          expect(answer.status, href).to.equal(name === 'status' ? 503 : 200);
          if (type !== undefined) expect(answer.type).to.equal(type);
        }
      }
    }
    const head = await test.as().head(CATALOG).expect(200);
    expect(head.headers.link).to.include('rel="api-catalog"');
  });

  it('refuses in JSON, as it answers, also a reader of pages', async () => {
    const { type, body } = await test
      .as()
      .post(CATALOG)
      .set('Accept', 'text/html')
      .expect(405);
    expect(type).to.equal('application/json');
    expect(body.error).to.equal('method_not_allowed');
  });

  it('is linked from every text and from the protocol', async () => {
    for (const path of [
      '/llms.txt',
      '/rules.md',
      '/api/protocol',
      '/nothing',
    ]) {
      const { headers } = await test.as().get(path);
      const links = [
        ...String(headers.link).matchAll(
          /<([^>]+)>; rel="([\w-]+)"; type="([^"]+)"/g,
        ),
      ];
      expect(
        links.map(([, , relation]) => relation),
        path,
      ).to.deep.equal([
        ...['api-catalog', 'service-desc', 'service-doc', 'service-meta'],
        'describedby',
      ]);
      for (const [, target = '', , type] of links) {
        const answer = await test.as().get(target);
        expect(answer.status, target).to.equal(200);
        expect(answer.type).to.equal(type);
      }
    }
    const data = await test.as().get('/api/threads');
    expect(data.headers).not.to.have.property('link');
  });

  it('keeps robots out of nothing that the guides invite to', async () => {
    const { text, headers } = await raw('/robots.txt');
    expect(headers['content-type']).to.match(/^text\/plain/);
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).to.equal('User-agent: *');
    for (const line of lines.filter((it) => it !== '')) {
      expect(line).to.match(/^(?:User-agent|Disallow|Allow|Sitemap): /);
    }
    const refused = lines.filter((line) => line.startsWith('Disallow: '));
    expect(refused).to.deep.equal(['Disallow: /admin']);
    expect(lines).to.include(`Sitemap: ${BASE_URL}/sitemap.xml`);
  });

  it('maps the pages and the topics that lists show', async () => {
    const { message } = await publish(test, { title: 'Mapped' });
    const hidden = await publish(test, { title: 'Hidden' });
    await decideTo.hide(test, hidden.message.id, { reason: 'other' });
    const { text, headers } = await raw('/sitemap.xml');
    expect(headers['content-type']).to.match(/^application\/xml/);
    expect(text).to.match(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n/,
    );
    const places = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, url = '']) => url.slice(BASE_URL.length),
    );
    expect(places).to.include.members(['/', '/rules.md', '/reference']);
    expect(places).to.include(`/t/${message.id}`);
    expect(places).not.to.include(`/t/${hidden.message.id}`);
    expect(text).to.match(/<lastmod>\d{4}-\d\d-\d\dT[\d:]+Z<\/lastmod>/);
    for (const path of places) {
      const { status } = await test.as().get(path).set('Accept', 'text/html');
      expect(status, path).to.equal(200);
    }
  });

  it('says whom to tell of a weakness, and until when', async () => {
    const path = '/.well-known/security.txt';
    const { text, headers } = await raw(path);
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    const fields = new Map(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
    );
    expect(fields.get('Contact')).to.equal('mailto:op@board.test');
    expect(fields.get('Canonical')).to.equal(`${BASE_URL}${path}`);
    const left = Date.parse(fields.get('Expires') ?? '') - test.clock.now();
    expect(left).to.be.within(89 * DAY_MS, 91 * DAY_MS);
    test.clock.advance(DAY_MS);
    expect((await raw(path)).text).not.to.equal(text);
  });

  it('says nothing of it when nobody can be reached', async () => {
    for (const contact of ['', 'the operator', 'http://a.test', 'a@b', 'x:y']) {
      expect(contactUri(contact), contact).to.equal(null);
    }
    expect(contactUri(' https://a.test/x ')).to.equal('https://a.test/x');
    expect(contactUri('mailto:a@b.test')).to.equal('mailto:a@b.test');
    expect(contactUri('https://a.test/\nContact: x')).to.equal(null);
    const silent = await startBoard();
    const answer = await silent.as().get('/.well-known/security.txt');
    await silent.stop();
    expect(answer.status).to.equal(404);
  });
});
