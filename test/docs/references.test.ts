import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPTION_NAMES } from '../../mesh/peer-port.js';
import { EVENT_KINDS } from '../../server/dashboard/live/events.js';
import { treeFiles } from '../support/tree-files.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TEXT = /\.(?:tsx?|[cm]?js|md|sql|ya?ml|json|patch)$|^\.env\.example$/;
const SPECIFICATION =
  /\bspec\/(board|mesh|operators)\.md(?:\s|[*#/])*((?:§[A-Z]?\d|§R)(?:(?!\bspec\/)[^;)])*)?/g;
const SECTION = /§([A-Z]?\d*(?:\.\d+)*)/g;
/** Documents by the names they had before they were part of the project. */
const OLD =
  /(?<![\w/.-])(?:operator\.md|decisions §?\d|mesh\.md [AB]\d|board\.md, |reliability [§A-Z]?\d)/;

/** `file:line` of each match in the project's texts, with its groups. */
async function matches(
  pattern: RegExp,
): Promise<{ at: string; match: RegExpMatchArray }[]> {
  const found = [];
  for (const { file, text } of await texts()) {
    for (const match of text.matchAll(pattern)) {
      const line = text.slice(0, match.index).split('\n').length;
      found.push({ at: `${file}:${line}`, match });
    }
  }
  return found;
}

let read: Promise<{ file: string; text: string }[]> | null = null;

function texts(): Promise<{ file: string; text: string }[]> {
  read ??= (async () => {
    const files = (await treeFiles(ROOT)).filter(
      (file) =>
        TEXT.test(file) &&
        file !== 'package-lock.json' &&
        file !== path.relative(ROOT, fileURLToPath(import.meta.url)),
    );
    return await Promise.all(
      files.map(async (file) => ({ file, text: await textOf(file) })),
    );
  })();
  return read;
}

const textOf = (name: string) => readFile(path.join(ROOT, name), 'utf8');

const document = (name: string) => textOf(`docs/${name}`);

/** The numbers of a document's headings: `## 1. …`, `### B4.1 …`. */
function sectionsOf(text: string): Set<string> {
  const headings = text.matchAll(/^#+ §?([A-Z]?\d*(?:\.\d+)*)\.?\s/gm);
  return new Set([...headings].map(([, number = '']) => number));
}

describe('what comments and documents refer to', () => {
  it('is a section that the specification has', async () => {
    const dead: string[] = [];
    let seen = 0;
    const sections = new Map<string, Set<string>>();
    for (const { at, match } of await matches(SPECIFICATION)) {
      const [, name = '', list = ''] = match;
      const known =
        sections.get(name) ?? sectionsOf(await document(`spec/${name}.md`));
      sections.set(name, known);
      for (const [, number = ''] of list.matchAll(SECTION)) {
        seen += 1;
        if (!known.has(number)) dead.push(`${at}: ${name}.md §${number}`);
      }
    }
    expect(dead).to.eql([]);
    expect(seen).to.be.above(500);
  });

  it('is no document by a name of old', async () => {
    const found = await matches(new RegExp(OLD, 'g'));
    expect(found.map(({ at, match }) => `${at}: ${match[0]}`)).to.eql([]);
  });

  it('is a standard that is listed', async () => {
    const list = await document('references.md');
    const found = await matches(
      /\bRFC ?(\d{3,5})\b|\bC2SP ((?:signed|tlog)-[a-z]+)/g,
    );
    const missing = found
      .filter(({ match: [, rfc, c2sp] }) =>
        rfc === undefined
          ? !list.includes(`[C2SP ${c2sp}]`)
          : !list.includes(`[RFC ${rfc}]`),
      )
      .map(({ at, match }) => `${at}: ${match[0]}`);
    expect(missing).to.eql([]);
    expect(found.length).to.be.above(50);
  });

  it('is a file that is there', async () => {
    const files = new Set(await treeFiles(ROOT));
    const folders = new Set([...files].flatMap((file) => parentsOf(file)));
    const documents = (await texts()).filter(
      ({ file }) =>
        /^(?:README|CONTRIBUTING|docs\/.*)\.?m?d?$/.test(file) &&
        file.endsWith('.md'),
    );
    const dead = documents.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?!https?:|#|mailto:)([\w./-]+)[)#]/g)]
        .map(([, link = '']) =>
          path.normalize(path.join(path.dirname(file), link)),
        )
        .filter(
          (link) => !files.has(link) && !folders.has(link.replace(/\/$/, '')),
        )
        .map((link) => `${file}: ${link}`),
    );
    expect(dead).to.eql([]);
  });

  it('is a decision that is listed, with context and consequences', async () => {
    const list = await document('decisions/README.md');
    const decisions = (await texts()).filter(({ file }) =>
      /^docs\/decisions\/\d/.test(file),
    );
    const incomplete = decisions.filter(({ file, text }) => {
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(
        ([, name]) => name,
      );
      return (
        headings.join() !== 'Context,Decision,Consequences' ||
        !list.includes(`](${path.basename(file)})`)
      );
    });
    expect(incomplete.map(({ file }) => file)).to.eql([]);
    expect(decisions.length).to.be.above(20);
  });
});

function parentsOf(file: string): string[] {
  const parts = file.split(path.sep).slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join(path.sep));
}

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
      expect(BY_NAME.exec(await textOf(name))?.[0], name).to.equal(undefined);
    }
  });
});

const PLACES =
  /`((?:server|mesh|protocol|client|admin-ui|test|lab|docs|scripts|bin|docker)\/[\w./-]*)`/g;

/** `NAME` of or in `file`, or several of them. */
const IN_FILE = /((?:`\w+`(?: and |, )?)+) (?:of|in) `([\w./-]+\.tsx?)`/g;

/** A list that names its folder once: it has short names. */
const LIST = /^- `([\w/-]+\/)`(?:.|\n {2})*/gm;

const isThere = (place: string) => existsSync(path.join(ROOT, place));

const inFull = (list: string, folder: string) =>
  list
    .replace(/\n +/g, ' ')
    .replace(/`(\w[\w./-]*\.(?:tsx?|css|json|html))`/g, (name, file) =>
      isThere(file) ? name : `\`${folder}${file}\``,
    );

let text = '';
let sources: string[] = [];

before(async () => {
  text = (await document('architecture.md')).replace(LIST, inFull);
  sources = (await treeFiles(ROOT)).filter((file) =>
    /^(?:server|mesh)\/.*\.tsx?$/.test(file),
  );
});

const loose = (folder: string) =>
  sources.filter((file) => path.dirname(file) === folder);

function rooms(folder: string): string[] {
  const names = sources.map((file) => path.dirname(file).split('/'));
  const deep = names.filter(([top, room]) => top === folder && room);
  return [...new Set(deep.map((parts) => parts.slice(0, 2).join('/')))];
}

describe('docs/architecture.md', () => {
  it('names only files and folders that exist', () => {
    const named = [...text.matchAll(PLACES)].map(([, place = '']) => place);
    expect(named.length).to.be.above(60);
    expect(named.filter((place) => !isThere(place))).to.eql([]);
  });

  it('names every folder of server/ and mesh/', () => {
    const all = [...rooms('server'), ...rooms('mesh')];
    expect(all.length).to.be.above(20);
    expect(all.filter((folder) => !text.includes(`\`${folder}/`))).to.eql([]);
  });

  it('names what is in the file where it says so', async () => {
    const said = [...text.matchAll(IN_FILE)];
    expect(said.length).to.be.above(12);
    for (const [sentence, names = '', file = ''] of said) {
      const there = await textOf(file);
      for (const [, name = ''] of names.matchAll(/`(\w+)`/g)) {
        expect(there, sentence).to.include(name);
      }
    }
  });

  it('names each loose file of server/', () => {
    const [, list = ''] = text.split('\nLoose in `server/`: ');
    const named = [...(list.split('\n\n')[0] ?? '').matchAll(PLACES)];
    expect(named.map(([, place]) => place)).to.have.members(loose('server'));
  });

  it('says truly who knows the environment and what the context names', async () => {
    const names: string[] = [];
    for (const file of sources) {
      const read = (await textOf(file)).matchAll(/process\.env\.(\w+)/g);
      names.push(...[...read].map(([, name]) => `\`${name}\``));
    }
    for (const name of names) expect(text).to.include(name);
    const context = await textOf('server/context.ts');
    const from = [...context.matchAll(/ from '\.\/(?:(\w+)\/)?/g)];
    const folders = new Set(from.map(([, folder]) => folder ?? ''));
    expect([...folders]).to.have.members(['', 'db', 'http', 'ledger']);
  });
});

describe('lists in documents', () => {
  it('of live events has each kind', async () => {
    const events = await document('spec/operators.md');
    const [, section = ''] = events.split('\n## 4. Events\n');
    const [table = ''] = section.split('\n\n1. ');
    const kinds = [...table.matchAll(/^\| `(\w+)` \| /gm)];
    expect(kinds.map(([, kind]) => kind)).to.have.members(EVENT_KINDS);
  });

  it('of options of peers has each of them, and its flag', async () => {
    const glossary = await document('glossary.md');
    const [, row = ''] = /^\| peer option \| (.*)$/m.exec(glossary) ?? [];
    for (const name of OPTION_NAMES) expect(row).to.include(`\`${name}\``);
    const board = await document('spec/board.md');
    for (const name of OPTION_NAMES.filter((it) => it !== 'trust')) {
      expect(board).to.include(`--${name.replaceAll('_', '-')}`);
    }
  });
});

describe('the house', () => {
  it('keeps ten files and at most twenty folders in server/', () => {
    expect(loose('server')).to.have.length.of.at.most(10);
    expect(rooms('server')).to.have.length.of.at.most(20);
  });
});
