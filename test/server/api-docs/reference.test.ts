import { expect } from 'chai';
import { type OpenApi, operationsOf } from '../../support/described.js';
import { givenBoard } from '../../support/hooks.js';

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

describe('/reference', () => {
  const test = givenBoard({ env: { BOARD_TITLE: 'Board <b>&</b>' } });
  let html: string;
  let document: OpenApi;
  /** The index and the page of each group, by their paths. */
  const pages = new Map<string, string>();
  before(async () => {
    const answer = await test.as().get('/reference').expect(200);
    expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).to.equal(POLICY);
    expect(answer.headers).to.have.property('x-board-participation');
    html = answer.text;
    const described = await test.as().get('/openapi.json');
    document = JSON.parse(described.text) as OpenApi;
    pages.set('/reference', html);
    for (const { name } of document.tags) {
      const path = `/reference/${name.toLowerCase()}`;
      pages.set(path, (await test.as().get(path).expect(200)).text);
    }
    await test.as().get('/reference/nothing').expect(404);
  });

  const idsOf = (page: string) =>
    new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

  it('has no script and asks no other host for anything', () => {
    for (const page of pages.values()) {
      expect(page).not.to.match(/<script|\son\w+=|javascript:|<iframe|<img/i);
      const parts = [
        ...page.matchAll(/<(?:link rel="stylesheet"|img|source)[^>]*>/g),
      ];
      expect(parts).to.have.length(1);
      for (const [part] of parts) expect(part).to.match(/href="\/[^/]/);
    }
    expect(html).to.include('Board &lt;b&gt;&amp;&lt;/b&gt;');
  });

  it('lists every operation and error, each operation with its page', () => {
    for (const { method, path, operation } of operationsOf(document)) {
      const { operationId, summary, tags } = operation;
      const page = `/reference/${tags[0]?.toLowerCase()}`;
      expect(html).to.include(`href="${page}#${operationId}"`);
      expect(html).to.include(
        `<span class="method ${method}">${method.toUpperCase()}</span> ${path}`,
      );
      expect(html).to.include(summary.replaceAll('&', '&amp;'));
      expect(idsOf(pages.get(page) ?? ''), page).to.include(operationId);
    }
    expect(html).to.include('<code>already_voted</code>');
    expect(Buffer.byteLength(html)).to.be.below(60_000);
  });

  it('shows each schema on the pages that need it', () => {
    const all = [...pages.values()].flatMap((page) => [...idsOf(page)]);
    for (const name of Object.keys(document.components.schemas)) {
      expect(all).to.include(`schema-${name}`);
    }
  });

  it('has ids that are its own, and links that lead to them', () => {
    for (const [path, page] of pages) {
      const all = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(all).size, path).to.equal(all.length);
      const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
      expect(all).to.include.members([...new Set(links)]);
    }
  });

  it('is kept by its tag and the same after a restart', async () => {
    const { headers } = await test.as().get('/reference');
    await test.restart();
    await test
      .as()
      .get('/reference')
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
  });
});
