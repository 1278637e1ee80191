import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { treeFiles } from '../support/tree-files.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PLACES =
  /`((?:server|mesh|protocol|client|admin-ui|test|lab|docs|scripts|bin|docker)\/[\w./-]*)`/g;
const LONGEST = 300;

let text = '';
let sources: string[] = [];

before(async () => {
  text = await readFile(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  sources = (await treeFiles(ROOT)).filter((file) =>
    /^(?:server|mesh)\/.*\.tsx?$/.test(file),
  );
});

const loose = (folder: string) =>
  sources.filter((file) => path.dirname(file) === folder);

function rooms(folder: string): string[] {
  const inside = sources.filter((file) => file.startsWith(`${folder}/`));
  const names = inside.map((file) => file.split('/'));
  const deep = names.filter((parts) => parts.length > 2);
  return [...new Set(deep.map((parts) => parts.slice(0, 2).join('/')))];
}

describe('docs/architecture.md', () => {
  it('names only files and folders that exist', () => {
    const named = [...text.matchAll(PLACES)].map(([, place = '']) => place);
    expect(named.length).to.be.above(60);
    expect(named.filter((place) => !existsSync(path.join(ROOT, place)))).to.eql(
      [],
    );
  });

  it('names every folder of server/ and mesh/', () => {
    const all = [...rooms('server'), ...rooms('mesh')];
    expect(all.length).to.be.above(20);
    expect(all.filter((folder) => !text.includes(`\`${folder}/`))).to.eql([]);
  });
});

describe('the house', () => {
  it('keeps ten files and at most twenty folders in server/', () => {
    expect(loose('server')).to.have.length.of.at.most(10);
    expect(rooms('server')).to.have.length.of.at.most(20);
  });

  it('has no file that is too long to read at once', async () => {
    const written = sources.filter(
      (file) => !/\/(?:entities|migrations)\//.test(file),
    );
    const long: string[] = [];
    for (const file of written) {
      const lines = (await readFile(path.join(ROOT, file), 'utf8')).split('\n');
      if (lines.length > LONGEST) long.push(`${file}: ${lines.length}`);
    }
    expect(long).to.eql([]);
  });
});
