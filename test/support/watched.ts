import type supertest from 'supertest';
import type { TestBoard } from './board.js';
import { type Description, descriptionOf, type Exchange } from './conforms.js';

export type Watched = {
  /** The same board; requests through it are watched. */
  test: TestBoard;
  description: Description;
  /** Operations and statuses met, as `GET /path 200`. */
  met: Set<string>;
  /** Error codes met, as `not_found 404`. */
  codes: Set<string>;
  problems: string[];
};

/** The bits of a response that superagent's types leave out. */
type Answered = {
  status: number;
  headers: Record<string, string>;
  text?: string;
};
type Asked = supertest.Test & { method: string; url: string };

/** Watches what tests and their helpers send by `test.as()`. */
export async function watch(test: TestBoard): Promise<Watched> {
  const { text } = await test.as().get('/openapi.json').expect(200);
  const description = descriptionOf(text);
  const met = new Set<string>();
  const codes = new Set<string>();
  const problems: string[] = [];
  const note = (it: Exchange): void => {
    const at = description.at(it.method, it.path);
    const name = at === null ? it.path : at.path;
    met.add(`${it.method} ${name} ${it.status}`);
    const [, code] = /"error":"(\w+)"/.exec(it.text) ?? [];
    if (code !== undefined && it.status >= 400) {
      codes.add(`${code} ${it.status}`);
      if (it.text.includes('"detail":""')) problems.push(`${name}: no detail`);
    }
    for (const problem of description.problems(it)) {
      problems.push(`${it.method} ${it.path} ${it.status}: ${problem}`);
    }
  };
  const as = (address?: string): supertest.Agent =>
    test.as(address).use((request: Asked) => {
      const { method, url } = request;
      const path = url.slice(test.url.length);
      request.on('response', ({ status, headers, text }: Answered) => {
        note({ method, path, status, headers, text: text ?? '' });
      });
    });
  const watched = Object.create(test, { as: { value: as } }) as TestBoard;
  return { test: watched, description, met, codes, problems };
}
