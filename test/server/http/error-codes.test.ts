import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import {
  ERROR_CODES,
  type ErrorCode,
  MEANINGS,
} from '../../../server/errors.js';
import { type Description, descriptionOf } from '../../support/conforms.js';
import { forAllTests } from '../../support/hooks.js';
import { OF_KEYS } from './error-codes/of-keys.js';
import { OF_OTHER_BOARDS } from './error-codes/of-other-boards.js';
import { OF_POSTING } from './error-codes/of-posting.js';
import { OF_READING } from './error-codes/of-reading.js';
import { OF_REQUESTS } from './error-codes/of-requests.js';
import {
  type Answer,
  errorScene,
  type Producer,
  type Scene,
} from './error-codes/scene.js';

/** One request for each code: a new code without one does not compile. */
const PRODUCERS: Record<ErrorCode, Producer> = {
  ...OF_REQUESTS,
  ...OF_POSTING,
  ...OF_KEYS,
  ...OF_READING,
  ...OF_OTHER_BOARDS,
};

describe('the error codes', () => {
  let scene: Scene;
  let description: Description;

  forAllTests(errorScene, async (made) => {
    scene = made;
    const { text } = await scene.a.as().get('/openapi.json');
    description = descriptionOf(text);
  });

  /** What of the answer the machine description does not say. */
  function problems({ request, status, headers = {}, text }: Answer): string[] {
    if (request === undefined) return []; // no request that is described
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    return description.problems({ ...request, path, status, headers, text });
  }

  for (const code of ERROR_CODES) {
    it(`${code} is answered as it is described`, async () => {
      const answer = await PRODUCERS[code](scene);
      expect(answer.body.error, answer.text).to.equal(code);
      expect(answer.status).to.equal(MEANINGS[code].status);
      expect(answer.body.detail).to.be.a('string').and.not.equal('');
      expect(problems(answer)).to.deep.equal([]);
    });
  }

  it('are those of docs/spec/board.md §12, each with its status', async () => {
    const spec = await readFile('docs/spec/board.md', 'utf8');
    const [, section = ''] = spec.split('\n## 12. Error codes\n');
    const [table = ''] = section.split('\nWhat a client does:');
    const rows = [...table.matchAll(/^\| (\d{3}) \| (.+) \|$/gm)];
    const listed = rows.flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => [code, status]),
    );
    expect(Object.fromEntries(listed)).to.deep.equal(
      Object.fromEntries(
        ERROR_CODES.map((code) => [code, String(MEANINGS[code].status)]),
      ),
    );
  });
});
