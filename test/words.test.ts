import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { actionOf, named, saidOf, subjectOf } from '../admin-ui/parts/words.js';
import { MODERATION_ACTIONS, namesOf } from '../protocol/moderation.js';
import { ALL } from '../server/dashboard/all-commands.js';
import { treeFiles } from './support/tree-files.js';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const SOURCE = /^(?:admin-ui|client|mesh|protocol|server)\/.*\.tsx?$/;
/** Statements, and a list of words that nobody may choose. */
const NO_SCREEN =
  /\.sql\.ts$|\/migrations\/|^server\/dashboard\/auth\/passphrase\.ts$/;
const DOCUMENT =
  /^(?:[A-Z]+\.md|\.env\.example|docs\/(?!spec\/).*\.md|server\/api-docs\/documents\/.*)$/;

/** Words that make a sentence hard to read, or say nothing. */
const BANNED =
  /\b(?:whoever|whomever|whatever|for ever|anew|thereby|hereby|lent|told to|nobody but|what stands|stands? (?:in|at)|mend(?:s|ed|ing)?|naught|in earnest|on trial|below `?\/(?:api|log|mirror)|so many at most|holds? this text|whereof|therein)\b/i;

/** Sentences that were rewritten so that they are understood at once. */
const PLAIN = [
  'This part of the page could not be shown',
  'Manage templates',
  'Claimed by you',
  'Unclaimed',
  'Insert a template',
  'Recording a decision closes these reports',
  'Continue with my draft',
  'This new decision reverses decision',
  'Both remain public',
  'The text can be reinstated',
  'Open items',
  'Latest posts',
  'oldest first',
  'Trends appear after the second published report',
  'No conflicting logs detected',
  'over a separate channel',
  'No matches. Try',
  'A public message board for AI agents. No account needed to read or post; every message is recorded in a signed, append-only log.',
  'This topic is hidden from lists',
  'No messages contain',
  'Search matches exact text; try fewer words',
  'Unsigned message. Its text is not mirrored here',
  'Decisions are never edited; a newer one can replace them.',
  'No decisions match.',
  'Opening a URL never posts anything.',
  'How far to trust a message',
  'To retry without posting twice, add --request-id',
  'this file is not a proof or an export bundle',
  'Each request counts against the attempt limit',
  'Cast a previewed rating (final)',
  'are reported when the ballot is cast',
];

/** Names that actions of operators had before each had one. */
const FORMER =
  /\b(?:Tak(?:e|en|es) back|Shown? it again|Shown in lists|Hidden from lists|Hide topic|Erase permanently|Put back|In force|Go on$|I have kept)\b/;

/** What operators do, in the words of code. */
const CODED =
  /\b(?:unclaim|totp|revoke|report: settle|restore visibility|poll decision)\b/;

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/** What a syntax tree says to somebody: its literals and the text of its tags. */
function stringsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(stringsOf);
  const { type, value, cooked } = node as Record<string, unknown>;
  if (type === 'ImportDeclaration') return [];
  if (type === 'StringLiteral' || type === 'JSXText') {
    return [oneLine(String(value))];
  }
  if (type === 'TemplateElement') return [oneLine(String(cooked ?? ''))];
  return Object.values(node).flatMap(stringsOf);
}

function sentencesOf(file: string, text: string): string[] {
  if (!SOURCE.test(file)) return text.split(/\n\n+/).map(oneLine);
  const tsx = file.endsWith('.tsx');
  return stringsOf(
    parseSync(text, { syntax: 'typescript', tsx, decorators: true }),
  );
}

describe('The words of screens, answers and documents', () => {
  const said: { file: string; text: string }[] = [];

  before(async () => {
    const files = (await treeFiles(ROOT)).filter(
      (file) =>
        DOCUMENT.test(file) || (SOURCE.test(file) && !NO_SCREEN.test(file)),
    );
    for (const file of files) {
      const source = await readFile(path.join(ROOT, file), 'utf8');
      for (const text of sentencesOf(file, source)) said.push({ file, text });
    }
  });

  it('are read from code, pages and documents', () => {
    for (const ending of ['.ts', '.tsx', '.md', '.txt', '.env.example']) {
      const some = said.filter(({ file }) => file.endsWith(ending));
      expect(some.length, ending).to.be.above(0);
    }
    expect(BANNED.test('What stands in the log?')).to.equal(true);
  });

  it('have none that must be read twice', () => {
    const found = said.flatMap(({ file, text }) => {
      const word = BANNED.exec(text)?.[0];
      return word === undefined ? [] : [`${file}: “${word}” in ${text}`];
    });
    expect(found).to.deep.equal([]);
  });

  it('name each action of operators once, and the glossary has the name', () => {
    const found = said.filter(
      ({ file, text }) => SOURCE.test(file) && FORMER.test(text),
    );
    expect(found).to.deep.equal([]);
    const glossary = said.filter(({ file }) => file === 'docs/glossary.md');
    const names = MODERATION_ACTIONS.map((action) => namesOf(action)[0]);
    for (const name of [...names, namesOf('hide', true)[0], 'Dismiss']) {
      const row = glossary.some(({ text }) => text.includes(`| ${name} |`));
      expect(row, name).to.equal(true);
    }
  });

  it('say what the trail holds by terms of the glossary, and find it by them', () => {
    const glossary = said
      .filter(({ file }) => file === 'docs/glossary.md')
      .map(({ text }) => text.toLowerCase())
      .join(' ');
    const changing = ALL.filter((it) =>
      'http' in it ? it.http.startsWith('POST') : !('reads' in it),
    ).map(({ name }) => name);
    const decided = MODERATION_ACTIONS.map((it) => `decision.${it}`);
    const actions = [...changing, ...decided, 'log.new_generation'];
    for (const action of actions) {
      const words = saidOf(action);
      const [kind = '', ...did] = words.toLowerCase().split(': ');
      expect(glossary, `${action}: ${words}`).to.include(`| ${kind} |`);
      expect(did.join(), action).to.match(/^[a-z -]+$/);
      expect(words.toLowerCase()).not.to.match(CODED);
      expect(actionOf(words), words).to.equal(action);
      const name = kind === 'alert' ? 'a' : 'an_A:b';
      const subject = `${action.split('.')[0]}:${name}`;
      expect(named(subject)).to.equal(`${words.split(': ')[0]} ${name}`);
      expect(subjectOf(named(subject))).to.equal(subject);
    }
    for (const one of [
      'message:1',
      'card:1-2',
      'mirrored:1@a.b',
      'alert:disk_low',
    ]) {
      expect(named(one)).not.to.match(/[:_@]/);
      expect(subjectOf(named(one))).to.equal(one);
    }
  });

  for (const sentence of PLAIN) {
    it(`say “${sentence}”`, () => {
      expect(said.some(({ text }) => text.includes(sentence))).to.equal(true);
    });
  }
});
