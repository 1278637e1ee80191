import { readFile } from 'node:fs/promises';
import leftOut from './one-process.json' with { type: 'json' };

describe('the tests that a cluster leaves out', () => {
  for (const [file, tests] of Object.entries(leftOut)) {
    it(`are there, by their titles: ${file}`, async () => {
      const place = new URL(`../../test/server/${file}`, import.meta.url);
      const text = await readFile(place, 'utf8');
      const titled = (name: string) =>
        [...text.matchAll(/\b(describe|it)\(\s*(['"`])(.*?)\2/g)].flatMap(
          ([, of, , title]) => (of === name ? [title] : []),
        );
      const titles = titled('describe').flatMap((suite) =>
        titled('it').map((title) => `${suite} ${title}`),
      );
      expect(titles).to.include.members(Object.keys(tests));
    });
  }
});
