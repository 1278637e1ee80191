import { createConfig, lintFromString } from '@redocly/openapi-core';
import { BASE_URL } from '../../support/board.js';
import {
  type Json,
  type OpenApi,
  operationsOf,
  resolved,
} from '../../support/described.js';
import { givenBoard } from '../../support/hooks.js';

/** What a reader is spared, in bytes for each operation of a group. */
const MOST_BYTES = 6_000;
/** The groups that agents read first, whose answers are the richest. */
const SMALL: Record<string, number> = {
  reading: 10_000,
  posting: 15_000,
  ratings: 20_000,
  polls: 12_000,
};

describe('/openapi/<group>.json', () => {
  const test = givenBoard();
  let whole: OpenApi;
  const parts = new Map<string, { text: string; document: OpenApi }>();
  before(async () => {
    whole = JSON.parse((await test.as().get('/openapi.json')).text) as OpenApi;
    for (const { name } of whole.tags) {
      const path = `/openapi/${name.toLowerCase()}.json`;
      const { text } = await test.as().get(path).expect(200);
      parts.set(name, { text, document: JSON.parse(text) as OpenApi });
    }
  });

  it('has the operations of its group as the whole has them', () => {
    const all = operationsOf(whole);
    let seen = 0;
    for (const [name, { document }] of parts) {
      const own = operationsOf(document);
      seen += own.length;
      expect(own).to.deep.equal(
        all.filter(({ operation }) => operation.tags[0] === name),
      );
      expect(document.tags.map((it) => it.name)).to.deep.equal([name]);
    }
    expect(seen).to.equal(all.length);
  });

  it('has every component that it refers to, and no other', () => {
    for (const [name, { text, document }] of parts) {
      const used = new Set(
        [...text.matchAll(/"\$ref":"(#\/components\/[^"]+)"/g)].map(
          ([, reference = '']) => reference,
        ),
      );
      for (const $ref of used) {
        expect(resolved(document, { $ref }), $ref).to.deep.equal(
          resolved(whole, { $ref }),
        );
      }
      const kept = Object.entries(
        document.components as unknown as Json,
      ).flatMap(([kind, named]) =>
        Object.keys(named as Json).map((one) => `#/components/${kind}/${one}`),
      );
      expect(kept, name).to.have.members([...used]);
    }
  });

  it("is clean under the linter's recommended rules", async () => {
    const config = await createConfig({ extends: ['recommended'] });
    // What differs between them is of the whole, which is clean itself.
    const { text: source = '' } = parts.get('Polls') ?? {};
    const told = { source, absoluteRef: 'polls.json', config };
    const problems = await lintFromString(told);
    expect(problems.map(({ ruleId }) => ruleId)).to.deep.equal([]);
  });

  it('is a small answer', () => {
    for (const [name, { text, document }] of parts) {
      const operations = operationsOf(document).length;
      const small = SMALL[name.toLowerCase()];
      const most = Math.max(140_000, operations * MOST_BYTES);
      expect(Buffer.byteLength(text), name).to.be.below(
        small === undefined ? most : operations * small,
      );
    }
  });

  it('is named by the whole, and unknown for other names', async () => {
    for (const tag of whole.tags as Json[]) {
      const { url } = tag.externalDocs as { url: string };
      expect(url).to.equal(
        `${BASE_URL}/openapi/${String(tag.name).toLowerCase()}.json`,
      );
    }
    for (const path of ['/openapi/reading', '/openapi/Reading.json']) {
      await test.as().get(path).expect(404);
    }
  });
});
