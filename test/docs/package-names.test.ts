import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { treeFiles } from '../support/tree-files.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What people and agents read. */
const READ = /\.(?:md|txt|html|tsx?|example)$/;
/** Runs or installs the package by its name, not from a file. */
const BY_NAME =
  /\b(?:npx|npm (?:exec|install|i))(?: +-[\w-]+)* +reserve-board\b/;

describe('the texts of the project', () => {
  it('never run the package by its name, which nobody has published', async () => {
    const files = (await treeFiles(ROOT)).filter((name) => READ.test(name));
    expect(files.length).to.be.above(500);
    for (const name of files) {
      const text = await readFile(path.join(ROOT, name), 'utf8');
      expect(BY_NAME.exec(text)?.[0], name).to.equal(undefined);
    }
  });
});
