import {
  prefixOf,
  structureOf,
  traitsOf,
} from '../../../server/posting/content-rules/traits.js';
import { cpuTime } from '../../support/cpu-time.js';

describe('traits of a topic', () => {
  describe('series prefix', () => {
    for (const [title, prefix] of [
      ['Daily report: Monday', 'daily report'],
      ['DAILY  Report : x', 'daily report'],
      ['\u00a0Daily\u2003report\t: x: y', 'daily report'],
      ['Stra\u00dfe nach: x', 'strasse nach'],
      ['Daily report:', 'daily report'],
      ['Daily report\uff1aMonday', 'daily report'],
      ['Daily report at 9:30: x', 'daily report at 9:30'],
      ['Use of std::map here: x', 'use of std::map here'],
      ['Weekly report:\u3000one', 'weekly report'],
      ['Notes for 2026: x', 'notes for 2026'],
      ['Errors in ::1 today: x', 'errors in ::1 today'],
      ['Log of https://a.example now: x', 'log of https://a.example now'],
      ['Build at 10:30:15 UTC: x', 'build at 10:30:15 utc'],
      [
        '\u65e5\u672c \u8a9e\u306e\u6bce\u65e5\u5831\u544a: x',
        '日本 語の毎日報告',
      ],
    ] as const) {
      it(`of ${JSON.stringify(title)} is ${prefix}`, () => {
        expect(prefixOf(title)).to.equal(prefix);
      });
    }

    for (const title of [
      'Daily report',
      'Report: one word',
      'Reporting: one long word',
      'My post: seven..',
      'a b c d e f g: seven letters',
      '1234 5678 9012: digits are no letters',
      ': nothing before',
      'Region eu-west outage at 10:30 UTC',
      'Wrong docs for std::vector',
      'Wrong docs for std:: vector',
      'Nothing answers at https://a.example today',
      'Daily report:Monday',
      'Nightly build from 23:59:58 to 00:10:01',
      'Socket closed on [fe80::1]:8080 again',
      'Image registry/name:latest does not start',
      'Smiling about the release :) and more',
      'A ratio of sixteen 16:9',
      '',
    ]) {
      it(`is none for ${JSON.stringify(title)}`, () => {
        expect(prefixOf(title)).to.equal(null);
      });
    }
  });

  describe('report structure', () => {
    const three = '# One\n## Two\n### Three';

    for (const [name, body, structure] of [
      ['three headings', three, 'one\ntwo\nthree'],
      ['text between', '# One\nx\n\n# Two\ny\n# Three\nz', 'one\ntwo\nthree'],
      ['CRLF and CR', '# One\r\n# Two\r# Three', 'one\ntwo\nthree'],
      ['U+2028', '# One\u2028x\u2028# Two\u2028# Three', 'one\ntwo\nthree'],
      ['U+2029, LF', '# One\u2029# Two\n\u2029# Three', 'one\ntwo\nthree'],
      [
        'fenced by U+2028',
        `~~~\u2028# x\u2028~~~\n${three}`,
        'one\ntwo\nthree',
      ],
      ['other levels', '###### One\n# Two\n## Three', 'one\ntwo\nthree'],
      ['closing marks', '# One #\n## Two ##\n# Three  ##  ', 'one\ntwo\nthree'],
      ['indented by three', '   # One\n # Two\n  # Three', 'one\ntwo\nthree'],
      [
        'folded, collapsed',
        '# ONE  a\n# T\u00c9\n# \u00df',
        'one a\nt\u00e9\nss',
      ],
      ['four', `${three}\n# Four`, 'one\ntwo\nthree\nfour'],
      ['after a fence', `~~~\n# x\n~~~\n${three}`, 'one\ntwo\nthree'],
    ] as const) {
      it(`is made of ${name}`, () => {
        expect(structureOf(body)).to.equal(structure);
      });
    }

    for (const [name, body] of [
      ['two headings', '# One\n# Two'],
      ['no space', '#One\n#Two\n#Three'],
      ['seven marks', '####### One\n####### Two\n####### Three'],
      ['indented code', '    # One\n    # Two\n    # Three'],
      ['a fence', `\`\`\`\n${three}\n\`\`\``],
      ['an open fence', `~~~\n${three}`],
      ['a fence within another', `~~~\n\`\`\`\n${three}\n~~~`],
      ['nothing', 'just text'],
    ] as const) {
      it(`is none for ${name}`, () => {
        expect(structureOf(body)).to.equal(null);
      });
    }

    it('tells orders and texts apart', () => {
      const of = (body: string) => traitsOf('', body, []).seriesStructure;
      const same = of(three);
      expect(of('## one\ntext\n# TWO\n# three')).to.deep.equal(same);
      expect(of('# Two\n# One\n# Three')).not.to.deep.equal(same);
      expect(of(`${three}\n# Four`)).not.to.deep.equal(same);
    });
  });

  describe('projects and announcements', () => {
    for (const [body, keys] of [
      ['see https://example.org/x', ['example.org']],
      ['HTTP://EXAMPLE.ORG:8080/', ['example.org']],
      [
        '(https://example.org/a), <http://b.example>',
        ['example.org', 'b.example'],
      ],
      ['[x](https://github.com/Owner/Repo.git)', ['github.com/owner/repo']],
      ['https://github.com/Owner/Repo/issues/1.', ['github.com/owner/repo']],
      ['https://gitlab.com/o/r, https://gitlab.com/o/r', ['gitlab.com/o/r']],
      ['https://github.com/owner', []],
      ['ftp://example.org example.org //example.org', []],
      ['https://', []],
    ] as const) {
      it(`of ${JSON.stringify(body)}: ${keys.join(' ') || 'none'}`, () => {
        expect(traitsOf('', body, []).projectKeys).to.deep.equal(keys);
      });
    }

    const link = 'https://example.org/project';
    for (const [body, promotion] of [
      [`Introducing it: ${link}`, true],
      [`INTRODUCING\n${link}`, true],
      [`we  BUILT this ${link}`, true],
      [`Open-source! ${link}`, true],
      [`now\navailable at ${link}`, true],
      [`a relaunched thing ${link}`, false],
      [`introducingly ${link}`, false],
      [`reading ${link}`, false],
      ['Introducing it, without a link', false],
    ] as const) {
      it(`${promotion ? 'is' : 'is no'} promotion: ${body}`, () => {
        expect(traitsOf('', body, []).promotion).to.equal(promotion);
      });
    }
  });

  describe('funnel phrases', () => {
    const phrase = 'Black Lives Matter';
    for (const [body, found] of [
      ['Black Lives Matter', true],
      ['why black lives matter.', true],
      ['BLACK\n\tLIVES \u00a0\u3000MATTER', true],
      ['#blacklivesmatter', false],
      ['black lives matte', false],
      ['black-lives-matter', false],
      ['unblack lives matters', true],
    ] as const) {
      it(`${found ? 'in' : 'not in'} ${JSON.stringify(body)}`, () => {
        const { funnelPhrases } = traitsOf('', body, [phrase]);
        expect(funnelPhrases).to.deep.equal(found ? [phrase] : []);
      });
    }

    it('are looked for in the body only, and all of them', () => {
      expect(traitsOf(phrase, 'x', [phrase]).funnelPhrases).to.deep.equal([]);
      const phrases = ['one  two', 'Three', 'four'];
      const { funnelPhrases } = traitsOf('', 'THREE one two', phrases);
      expect(funnelPhrases).to.deep.equal(['one  two', 'Three']);
    });
  });

  it('takes no long time over 4000 hostile characters', () => {
    for (const unit of [
      '# ',
      '#',
      ' #',
      '`',
      'http://',
      '.',
      'https://github.com/a/....',
      ' \t',
      '\u00df',
      'a:',
    ]) {
      const body = unit.repeat(4000 / unit.length);
      const took = cpuTime(() => traitsOf(body, body, ['black lives matter']));
      expect(took, unit).to.be.below(50);
    }
  });
});
