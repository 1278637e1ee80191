import { renderMarkdown } from '../../../server/site/markdown/markdown.js';

const MESSAGES = new Map([
  [5, '/t/5'],
  [12, '/t/5?message=12#m12'],
]);
const REL = 'rel="nofollow ugc noopener noreferrer"';

function html(source: string): string {
  return renderMarkdown(source, MESSAGES).replaceAll(' dir="auto"', '').trim();
}

function paragraph(source: string): string {
  return html(source).replace(/^<p>|<\/p>$/g, '');
}

describe('The Markdown subset', () => {
  const BLOCKS: [name: string, source: string, expected: string][] = [
    ['lines of a paragraph', 'one\ntwo', '<p>one<br>\ntwo</p>'],
    ['lines of an item', '- one\n  two', '<ul>\n<li>one<br>\ntwo</li>\n</ul>'],
    [
      'a table as its lines',
      'Now:\n| a | *b* |\n|:--|--:|\n| c | d |\nafter',
      '<p>Now:</p>\n<pre><code>| a | *b* |\n|:--|--:|\n| c | d |\n</code></pre>\n<p>after</p>',
    ],
    [
      'a table without outer pipes in a quote',
      '> a | b\n> - | -\n> <c> | d',
      '<blockquote>\n<pre><code>a | b\n- | -\n&lt;c&gt; | d\n</code></pre>\n</blockquote>',
    ],
    ['pipes without a table', 'a | b\nc | d', '<p>a | b<br>\nc | d</p>'],
    ['a hard break', 'one  \ntwo\\\nthree', '<p>one<br>\ntwo<br>\nthree</p>'],
    ['a heading', '# One', '<h3>One</h3>'],
    ['an underlined heading', 'One\n---', '<h3>One</h3>'],
    [
      'emphasis',
      '*a* **b** ~~c~~',
      '<p><em>a</em> <strong>b</strong> <s>c</s></p>',
    ],
    ['code', '`a <b> & c`', '<p><code>a &lt;b&gt; &amp; c</code></p>'],
    ['a rule', '---', '<hr>'],
    ['a quote', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['a list', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['a numbered list', '3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    ['fenced code', '```js\n<b>\n```', '<pre><code>&lt;b&gt;\n</code></pre>'],
    ['entities', '&amp; &lt;b&gt; &copy;', '<p>&amp; &lt;b&gt; ©</p>'],
  ];
  for (const [name, source, expected] of BLOCKS) {
    it(`holds ${name}`, () => {
      expect(html(source)).to.equal(expected);
    });
  }

  for (const [source, expected] of [
    [
      '\u8fd9\u662f**\u300c\u91cd\u70b9\u300d**\u5185\u5bb9',
      '\u8fd9\u662f<strong>\u300c\u91cd\u70b9\u300d</strong>\u5185\u5bb9',
    ],
    [
      '**\u6ce8\u610f\uff1a**\u6b63\u6587',
      '<strong>\u6ce8\u610f\uff1a</strong>\u6b63\u6587',
    ],
    [
      '\uc774\uac83\uc740**(\uc911\uc694)**\ub2e4',
      '\uc774\uac83\uc740<strong>(\uc911\uc694)</strong>\ub2e4',
    ],
    [
      '\u304a*\u300e\u8a9e\u300f*\u3068~~\u300c\u6b63\u300d~~\u3092',
      '\u304a<em>\u300e\u8a9e\u300f</em>\u3068<s>\u300c\u6b63\u300d</s>\u3092',
    ],
    [
      '**\u300c\u3042\u300d**\u300c\u3044\u300d',
      '<strong>\u300c\u3042\u300d</strong>\u300c\u3044\u300d',
    ],
    ['**100%**\u3067\u3059', '<strong>100%</strong>\u3067\u3059'],
    ['~~\uff08\u6ce8\uff09~~\u3067', '<s>\uff08\u6ce8\uff09</s>\u3067'],
    ['a**(b)**c, 2 ** 3 ** 4', 'a**(b)**c, 2 ** 3 ** 4'],
    [
      '\u0e02\u0e49\u0e2d**\u201c\u0e2a\u0e33\u0e04\u0e31\u0e0d\u201d**\u0e04\u0e23\u0e31\u0e1a',
      '\u0e02\u0e49\u0e2d<strong>\u201c\u0e2a\u0e33\u0e04\u0e31\u0e0d\u201d</strong>\u0e04\u0e23\u0e31\u0e1a',
    ],
    [
      '\u0e99\u0eb5\u0ec9**(\u0eaa\u0eb3\u0e84\u0eb1\u0e99)**\u0ec1\u0ea1\u0ec8\u0e99',
      '\u0e99\u0eb5\u0ec9<strong>(\u0eaa\u0eb3\u0e84\u0eb1\u0e99)</strong>\u0ec1\u0ea1\u0ec8\u0e99',
    ],
    [
      '\u1793\u17c1\u17c7*\u00ab\u179f\u17c6\u1781\u17b6\u1793\u17cb\u00bb*\u178e\u17b6\u179f\u17cb',
      '\u1793\u17c1\u17c7<em>\u00ab\u179f\u17c6\u1781\u17b6\u1793\u17cb\u00bb</em>\u178e\u17b6\u179f\u17cb',
    ],
    [
      '\u1012\u102b**\u104a\u1021\u101b\u1031\u1038\u104a**\u1015\u102b',
      '\u1012\u102b<strong>\u104a\u1021\u101b\u1031\u1038\u104a</strong>\u1015\u102b',
    ],
    ['\u0e01 ** \u0e02 ** \u0e04', '\u0e01 ** \u0e02 ** \u0e04'],
    ['**`code`**\u3092', '<strong><code>code</code></strong>\u3092'],
    [
      '***\u300c\u5f37\u300d***\u8abf',
      '<em><strong>\u300c\u5f37\u300d</strong></em>\u8abf',
    ],
  ] as const) {
    it(`has emphasis beside punctuation as in ${source}`, () => {
      expect(html(source)).to.equal(`<p>${expected}</p>`);
    });
  }

  const PLAIN: [name: string, source: string][] = [
    ['indented code', '    a'],
    ['link definitions', '[a]: /b\n\n[a]'],
    ['raw HTML', '<div><b onclick="x()">a</b></div>'],
    ['scripts', '<script>alert(1)</script>'],
    ['comments', '<!-- a -->'],
    ['footnotes', 'a[^1]\n\n[^1]: b'],
    ['task lists', '[x] a'],
    ['subscripts', 'H~2~O and x^2^'],
    ['mail addresses', '<a@example.org>'],
    ['images', '![a *b*](https://example.org/a.png "c")'],
    ['images by reference', '![a][b]'],
  ];
  for (const [name, source] of PLAIN) {
    it(`leaves ${name} as their source`, () => {
      const text = html(source)
        .replace(/<\/p>\n<p>/g, '\n\n')
        .replace(/^<p>|<\/p>$/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"');
      expect(text).to.equal(source.trim());
    });
  }

  it('puts headings below those of the page, without leaving one out', () => {
    expect(html('### a\n###### b\n#### c\n# d').match(/<h\d/g)).to.deep.equal([
      '<h3',
      '<h4',
      '<h4',
      '<h3',
    ]);
    const deepest = html('# a\n## b\n### c\n#### d\n##### e\n###### f');
    expect(deepest.match(/<h\d/g)?.at(-1)).to.equal('<h6');
  });

  it('shows what is nested too deeply as text, and loses none of it', () => {
    expect(html(`${'>'.repeat(60)} end`)).to.contain(
      `${'&gt;'.repeat(42)} end`,
    );
    expect(html(`${'- '.repeat(60)}end`)).to.match(/(- )+end/);
    expect(html(`${'> - '.repeat(60)}end`)).to.contain('end');
  });
});

describe('Links in Markdown', () => {
  it('lead to http and https alone, and name their host', () => {
    expect(paragraph('[a](https://example.org/b)')).to.equal(
      `<a href="https://example.org/b" ${REL}>a</a> <span class="host">(example.org)</span>`,
    );
  });

  it('name no host where the text is the address', () => {
    for (const source of [
      'https://example.org/a',
      '<https://example.org/a>',
      '[https://example.org/a](https://example.org/a)',
    ]) {
      expect(paragraph(source)).to.equal(
        `<a href="https://example.org/a" ${REL}>https://example.org/a</a>`,
      );
    }
  });

  const DISGUISED: [source: string, host: string][] = [
    ['[https://bank.example](https://evil.example)', 'evil.example'],
    ['https://bank.example@evil.example', 'evil.example'],
    ['https://b\u0430nk.example/', 'xn--bnk-6cd.example'],
    ['[x](https://bank.example\\@evil.example)', 'evil.example'],
    ['[](https://evil.example/a)', 'evil.example'],
  ];
  for (const [source, host] of DISGUISED) {
    it(`name the real host of ${source}`, () => {
      expect(html(source)).to.contain(`<span class="host">(${host})</span>`);
    });
  }

  const REFUSED = [
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](\u0001javascript:alert(1))',
    '[a](data:text/html,x)',
    '[a](vbscript:x)',
    '[a](//evil.example)',
    '[a](/t/5)',
    '[a](https:evil.example)',
    '[a](ftp://example.org)',
    '[a](https://)',
    '[a]()',
    '<javascript:alert(1)>',
    '<mailto:a@example.org>',
    'javascript:alert(1)',
    '<a href="https://example.org">a</a>',
    '<img src=https://example.org/a.png>',
    `[a](https://example.org/${'b'.repeat(2100)})`,
  ];
  for (const source of REFUSED) {
    it(`are not made of ${source.slice(0, 40)}`, () => {
      expect(html(source)).not.to.contain('<a ');
    });
  }

  it('never stand in one another', () => {
    for (const source of [
      '[[a](https://a.example)](https://b.example)',
      '[<https://a.example>](https://b.example)',
      '[https://a.example](https://b.example)',
      '[#5](https://b.example)',
      '[![a](https://a.example)](https://b.example)',
    ]) {
      expect(html(source)).not.to.match(/<a [^>]*>(?:(?!<\/a>).)*<a /);
    }
  });

  const BARE: [text: string, address: string][] = [
    [
      '\u53c2\u8003 https://a.example/c\u3001\u7d9a\u304d\u3002',
      'https://a.example/c',
    ],
    ['\u300chttps://a.example/d\u300d', 'https://a.example/d'],
    ['\u8d44\u6599https://a.example/e\uff0c\u597d', 'https://a.example/e'],
    ['\u0e14\u0e39https://a.example/th', 'https://a.example/th'],
    ['\uff08https://a.example/f\uff09\u3002', 'https://a.example/f'],
    ['"https://a.example/g" is quoted', 'https://a.example/g'],
    ['\u201chttps://a.example/h\u201d', 'https://a.example/h'],
    ['\u00abhttps://a.example/i\u00bb', 'https://a.example/i'],
    ['see https://a.example/j\u2026 and', 'https://a.example/j'],
    ['https://a.example/k\u2014so', 'https://a.example/k'],
    [
      '\u0627\u0646\u0638\u0631 https://a.example/l\u061f',
      'https://a.example/l',
    ],
    [
      '\u0926\u0947\u0916\u0947\u0902 https://a.example/m\u0964',
      'https://a.example/m',
    ],
    ['Link:https://a.example/n', 'https://a.example/n'],
    ['{"see":"https://a.example/q"}', 'https://a.example/q'],
    ['{https://a.example/r}.', 'https://a.example/r'],
    ['{(https://a.example/s})', 'https://a.example/s'],
    ['https://a.example/{id}/x_(y)}', 'https://a.example/{id}/x_(y)'],
    ['\u300ahttps://a.example/t\u300b', 'https://a.example/t'],
    ['**https://a.example/v**\u306e', 'https://a.example/v'],
    ['\u524d**https://a.example/w**\u5f8c', 'https://a.example/w'],
    ['\u3010https://a.example/x\u3011', 'https://a.example/x'],
    ['\u201ehttps://a.example/y\u201c', 'https://a.example/y'],
    ['https://a.example/u\u0589', 'https://a.example/u'],
    ['\u2192https://a.example/o', 'https://a.example/o'],
    ['\u{20000}https://a.example/p', 'https://a.example/p'],
    [
      'https://a.example/\u5b89\u88c5\u5305',
      'https://a.example/\u5b89\u88c5\u5305',
    ],
    [
      'https://a.example/A\u2013B_\u30fbC',
      'https://a.example/A\u2013B_\u30fbC',
    ],
  ];
  for (const [text, address] of BARE) {
    it(`begin and end where a reader sees it in ${text}`, () => {
      const href = new URL(address).href;
      expect(paragraph(text)).to.contain(
        `<a href="${href}" ${REL}>${address}</a>`,
      );
    });
  }

  it('begin in no word of letters', () => {
    for (const text of [
      'xhttps://a.example',
      '\u044fhttps://a.example',
      '9http://a.example',
    ]) {
      expect(html(text)).not.to.contain('<a ');
    }
  });

  it('leave the punctuation of a sentence out', () => {
    expect(paragraph('(see https://example.org/a_(b).)')).to.contain(
      '<a href="https://example.org/a_(b)"',
    );
    expect(paragraph('**https://example.org/a**')).to.contain(
      '<strong><a href="https://example.org/a"',
    );
  });

  it('drop titles', () => {
    expect(html('[a](https://example.org "t")')).not.to.contain('title');
  });
});

describe('References in Markdown', () => {
  const LINKED: [source: string, count: number][] = [
    ['#5', 1],
    ['#5 and #12, #5.', 2],
    ['*#5* (#12)', 2],
    ['# #5', 1],
    ['- #5\n- #12', 2],
    ['#6', 0],
    ['`#5`', 0],
    ['```\n#5\n```', 0],
    ['\\#5', 0],
    ['a#5', 0],
    ['#5a', 0],
    ['é#5 #5é ##5 &#5; /#5', 0],
    ['#05', 0],
    ['[see #5](https://example.org)', 0],
    ['https://example.org/#5', 0],
  ];
  for (const [source, count] of LINKED) {
    it(`are ${count} in ${JSON.stringify(source)}`, () => {
      const found = html(source).match(/<a class="ref"/g) ?? [];
      expect(found).to.have.length(count);
    });
  }

  it('lead where the message is', () => {
    expect(paragraph('#12')).to.equal(
      '<a class="ref" href="/t/5?message=12#m12">#12</a>',
    );
  });
});

describe('Characters nobody sees', () => {
  const SHOWN = [
    0x202e, 0x2066, 0x200b, 0x200e, 0xfeff, 0xad, 0x2028, 0x85, 0x3164, 0x2800,
    0xe0041, 0x1d173, 0x180e, 0x2060, 0x7, 0xfff9, 0x34f,
  ];
  for (const code of SHOWN) {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    it(`show as ${name} in text and in code`, () => {
      const character = String.fromCodePoint(code);
      const mark = `<span class="unseen">${name}</span>`;
      expect(paragraph(`a${character}b`)).to.equal(`a${mark}b`);
      expect(paragraph(`\`a${character}b\``)).to.contain(`a${mark}b`);
      expect(html(`\`\`\`\na${character}b\n\`\`\``)).to.contain(`a${mark}b`);
      expect(html(`[a${character}b](https://example.org)`)).to.contain(
        `a${mark}b`,
      );
    });
  }

  it('stay where they belong to the spelling', () => {
    for (const text of ['👩‍💻', 'می‌خواهم', 'क्‍ष', '❤️', '🏳️‍🌈', 'a\tb']) {
      expect(paragraph(text)).to.equal(text);
    }
  });

  it('show where a joiner joins nothing', () => {
    expect(paragraph('a\u200db')).to.contain('U+200D');
    expect(paragraph('a\u200cb')).to.contain('U+200C');
    expect(paragraph('x\ufe0f')).to.contain('U+FE0F');
  });
});
