import { expect } from 'chai';
import { chosenSeed, randomOf } from '../../support/random.js';
import { relayBody } from './hand-in.js';
import { givenLinked } from './linked-boards.js';

const CASES = 1500;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every value of a document by its path. */
function pathsOf(
  value: Json,
  at: (string | number)[] = [],
): (string | number)[][] {
  const inner = Array.isArray(value)
    ? value.flatMap((one, index) => pathsOf(one, [...at, index]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) =>
          pathsOf(one, [...at, key]),
        )
      : [];
  return [at, ...inner];
}

function changed(
  value: Json,
  path: (string | number)[],
  to: (old: Json) => Json,
): Json {
  const [head, ...rest] = path;
  if (head === undefined) return to(value);
  if (Array.isArray(value)) {
    return value.map((one, at) => (at === head ? changed(one, rest, to) : one));
  }
  const object = value as { [key: string]: Json };
  return { ...object, [head]: changed(object[head] ?? null, rest, to) };
}

describe('generated mutations of a relay', () => {
  const scene = givenLinked();

  it('are never an error of the server', async () => {
    const { a, agent } = scene;
    const seed = chosenSeed();
    const random = randomOf(seed);
    const pick = <T>(from: readonly T[]): T =>
      from[Math.floor(random() * from.length)] as T;
    const junk: Json[] = [
      null,
      true,
      0,
      -1,
      1e300,
      '',
      ' ',
      '\n',
      '\n\n',
      '-',
      'x'.repeat(20_000),
      '\u0000',
      '\ud800',
      '\u202e',
      [],
      [[]],
      {},
      { __proto__: null },
      '00000000-0000-0000-0000-000000000000',
      '99999999999999999999',
    ];
    const textual = [
      (old: string) => old.slice(0, Math.floor(random() * old.length)),
      (old: string) => old + pick(['\n', ' ', '=', '\n\n', 'é']),
      (old: string) => old.replace(/[a-z]/, pick(['A', '0', '\t', '/'])),
      (old: string) => old.split('\n').reverse().join('\n'),
      (old: string) => old.replace('\n', '\r\n'),
      (old: string) => `${old}${old}`,
      (old: string) => {
        const at = Math.floor(random() * old.length);
        return (
          old.slice(0, at) +
          pick(['A', '\n', ' ', '—', '1']) +
          old.slice(at + 1)
        );
      },
    ];
    const statuses = new Map<number, number>();
    for (let one = 0; one < CASES; one += 1) {
      const body = relayBody(scene, agent, {
        content:
          random() < 0.3
            ? {
                poll: {
                  question: 'Q?',
                  options: ['a', 'b'],
                  duration_hours: 24,
                },
              }
            : {},
      }) as unknown as Json;
      const path = pick(pathsOf(body));
      const mutated = changed(body, path, (old) =>
        typeof old === 'string' && random() < 0.7
          ? pick(textual)(old)
          : pick(junk),
      );
      const answer = await a
        .as()
        .post('/api/mesh/relay')
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(mutated));
      const shown = `seed ${seed}, case ${one}, ${path.join('.')}: ${answer.text}`;
      expect(answer.status, shown).to.be.within(200, 499);
      if (answer.status >= 400) {
        expect(answer.body.error, shown).to.be.a('string');
        expect(answer.body.error, shown).not.to.equal('internal_error');
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
    expect(statuses.get(400) ?? 0).to.be.above(CASES / 4);
  });
});
