import { BoardError } from '../../../server/errors.js';
import {
  namesNobody,
  networkOf,
  parseTrustProxy,
} from '../../../server/http/network.js';
import { recordSuite } from '../../faults/report.js';

const v4 = (...bytes: number[]): string =>
  Buffer.from([4, ...bytes]).toString('hex');
const v6 = (hex: string): string => `06${hex}`;

function network(
  remote: string | undefined,
  forwarded?: string | string[],
  trust = '',
): string {
  const trusted = parseTrustProxy(trust);
  try {
    return Buffer.from(networkOf(remote, forwarded, trusted)).toString('hex');
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    return error.code;
  }
}

const LOCAL = '127.0.0.1/32, ::1/128';
const CHAIN = '127.0.0.0/8,10.0.0.0/8,fd00::/8';

const TABLE: [
  name: string,
  want: string,
  remote: string | undefined,
  forwarded?: string | string[] | undefined,
  trust?: string,
][] = [
  ['IPv4', v4(192, 0, 2, 7), '192.0.2.7'],
  ['mapped IPv4', v4(192, 0, 2, 7), '::ffff:192.0.2.7'],
  ['mapped IPv4 in hex', v4(192, 0, 2, 7), '::ffff:c000:207'],
  ['mapped IPv4 in full', v4(192, 0, 2, 7), '0:0:0:0:0:FFFF:C000:0207'],
  ['loopback', v4(127, 0, 0, 1), '127.0.0.1'],
  ['IPv6', v6('20010db800010002'), '2001:db8:1:2:3:4:5:6'],
  ['the same /64', v6('20010db800010002'), '2001:db8:1:2::1'],
  ['another /64', v6('20010db800010003'), '2001:db8:1:3::1'],
  ['upper case', v6('20010db800010002'), '2001:DB8:1:2::F'],
  ['a zone', v6('fe80000000000000'), 'fe80::1%eth0'],
  ['6to4 stays IPv6', v6('2002c00002070000'), '2002:c000:207::1'],
  ['compatible stays IPv6', v6('0000000000000000'), '::192.0.2.7'],
  ['a lost socket', 'invalid_input', undefined],
  ['spoofed without trust', v4(192, 0, 2, 7), '192.0.2.7', '1.2.3.4'],
  ['loopback is no trust', v4(127, 0, 0, 1), '127.0.0.1', '1.2.3.4'],
  ['nonsense without trust', v4(192, 0, 2, 7), '192.0.2.7', 'x'],
  ['spoofed past the proxy', v4(9, 9, 9, 9), '9.9.9.9', '1.2.3.4', LOCAL],
  ['one trusted hop', v4(1, 2, 3, 4), '127.0.0.1', '1.2.3.4', LOCAL],
  ['a mapped proxy', v4(1, 2, 3, 4), '::ffff:127.0.0.1', '1.2.3.4', LOCAL],
  ['an IPv6 proxy', v4(1, 2, 3, 4), '::1', '1.2.3.4', LOCAL],
  ['an IPv6 client', v6('20010db800010002'), '::1', '2001:db8:1:2::9', LOCAL],
  ['a mapped client', v4(1, 2, 3, 4), '::1', '::ffff:1.2.3.4', LOCAL],
  ['a spoofed left end', v4(1, 2, 3, 4), '::1', '8.8.8.8, 1.2.3.4', LOCAL],
  ['nonsense at the left', v4(1, 2, 3, 4), '::1', 'x,, 1.2.3.4', LOCAL],
  ['a list', v4(1, 2, 3, 4), '::1', ['8.8.8.8', '1.2.3.4'], LOCAL],
  ['a chain', v4(1, 2, 3, 4), '127.0.0.1', '5.5.5.5,1.2.3.4,10.1.1.1', CHAIN],
  [
    'a long chain',
    v4(1, 2, 3, 4),
    '10.0.0.9',
    '1.2.3.4,fd00::1,10.1.1.1',
    CHAIN,
  ],
  ['only proxies', v4(10, 2, 2, 2), '127.0.0.1', '10.2.2.2,10.1.1.1', CHAIN],
  ['a claimed loopback', v4(127, 0, 0, 1), '10.0.0.1', '127.0.0.1', '10.0.0.1'],
  ['a proxy itself', v4(127, 0, 0, 1), '127.0.0.1', undefined, LOCAL],
  ['an empty header', 'invalid_input', '127.0.0.1', '', LOCAL],
  ['an empty right end', 'invalid_input', '127.0.0.1', '1.2.3.4,', LOCAL],
  ['unknown', 'invalid_input', '127.0.0.1', 'unknown', LOCAL],
  ['a port', v4(1, 2, 3, 4), '127.0.0.1', '1.2.3.4:55', LOCAL],
  ['brackets', v4(1, 2, 3, 4), '127.0.0.1', '[::ffff:1.2.3.4]', LOCAL],
  ['both', v4(1, 2, 3, 4), '127.0.0.1', ' [::ffff:1.2.3.4]:443 ', LOCAL],
  [
    'a chain with ports',
    v4(1, 2, 3, 4),
    '127.0.0.1',
    '5.5.5.5,1.2.3.4:9,10.1.1.1:80',
    CHAIN,
  ],
  ['two ports', 'invalid_input', '127.0.0.1', '1.2.3.4:55:66', LOCAL],
  ['a named port', 'invalid_input', '127.0.0.1', '1.2.3.4:http', LOCAL],
  ['an open bracket', 'invalid_input', '127.0.0.1', '[2001:db8::1', LOCAL],
  ['a short form', 'invalid_input', '127.0.0.1', '127.1', LOCAL],
  ['a number', 'invalid_input', '127.0.0.1', '2130706433', LOCAL],
  ['octal', 'invalid_input', '127.0.0.1', '010.0.0.1', LOCAL],
  ['hex', 'invalid_input', '127.0.0.1', '0x7f.0.0.1', LOCAL],
  ['compatible nonsense', 'invalid_input', '127.0.0.1', '::999.1.1.1', LOCAL],
  ['a zone on IPv4', 'invalid_input', '127.0.0.1', '1.2.3.4%eth0', LOCAL],
  ['only a zone', 'invalid_input', '127.0.0.1', '%1.2.3.4', LOCAL],
  ['a fifth byte', 'invalid_input', '127.0.0.1', '1.2.3.4.5', LOCAL],
  [
    'nonsense after a proxy',
    'invalid_input',
    '10.0.0.1',
    '1.2.3.4,x,10.0.0.2',
    CHAIN,
  ],
  [
    'a mapped CIDR',
    v4(1, 2, 3, 4),
    '10.9.9.9',
    '1.2.3.4',
    '::ffff:10.0.0.0/104',
  ],
];

describe('networkOf', () => {
  after(async function () {
    await recordSuite('D8 addresses', this);
  });

  for (const [name, want, remote, forwarded, trust] of TABLE) {
    it(`answers ${want} for ${name}`, () => {
      expect(network(remote, forwarded, trust)).to.equal(want);
    });
  }

  it('keeps nothing but the network', () => {
    const bytes = networkOf('2001:db8:1:2:3:4:5:6', undefined, []);
    expect(bytes).to.have.length(9);
    expect(bytes.buffer.byteLength).to.equal(9);
  });
});

const OURS = '10.0.0.0/8, 192.0.2.7, 2001:db8::/32, 127.0.0.0/8, ::1, fe80::1';

const NOBODY: [
  name: string,
  remote: string | undefined,
  forwarded?: string | undefined,
  trust?: string,
][] = [
  ['a proxy of another machine', '192.0.2.7'],
  ['one of a range', '10.9.8.7'],
  ['a mapped one', '::ffff:10.9.8.7'],
  ['a mapped one in hex', '::ffff:c000:207'],
  ['an IPv6 one', '2001:db8::7'],
  ['one with a zone', 'fe80::1%eth0'],
  ['0.0.0.0', '0.0.0.0', undefined, '0.0.0.0'],
];

const SOMEBODY: typeof NOBODY = [
  ['loopback', '127.0.0.1'],
  ['another address of loopback', '127.9.9.9'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['IPv6 loopback', '::1'],
  ['a client', '198.51.100.1'],
  ['a client, nobody being trusted', '192.0.2.7', undefined, ''],
  ['a neighbour of a proxy', '192.0.2.8'],
  ['a compatible address, which is no proxy', '::10.9.8.7'],
  ['a proxy that names a client', '192.0.2.7', '203.0.113.1'],
  ['a proxy that names nonsense', '192.0.2.7', 'unknown'],
  ['a proxy that names nothing', '192.0.2.7', ''],
  ['a lost socket', undefined],
];

describe('namesNobody', () => {
  for (const [cases, want] of [
    [NOBODY, true],
    [SOMEBODY, false],
  ] as const) {
    for (const [name, remote, forwarded, trust = OURS] of cases) {
      it(`is ${want} of ${name}`, () => {
        const trusted = parseTrustProxy(trust);
        expect(namesNobody(remote, forwarded, trusted)).to.equal(want);
      });
    }
  }
});

describe('parseTrustProxy', () => {
  it('takes nothing as no proxy at all', () => {
    expect(parseTrustProxy('')).to.deep.equal([]);
    expect(parseTrustProxy(' ')).to.deep.equal([]);
  });

  for (const text of [
    ...['true', 'false', '1', '2', '*', 'loopback', 'localhost', 'a.test'],
    ...['127.0.0.1,', ',', '127.0.0.1;10.0.0.1', '10.0.0.0/33', '10.0.0.0/-1'],
    ...['10.0.0.0/', '10.0.0.0/08', '10.0.0/8', '10', '0x7f.0.0.1', '::1/129'],
    ...[
      '0.0.0.0/0',
      '::/0',
      '::ffff:0.0.0.0/96',
      '127.0.0.1/8/8',
      '1.2.3.4:80',
    ],
  ]) {
    it(`refuses "${text}" with a sentence`, () => {
      expect(() => parseTrustProxy(text)).to.throw(Error, /^TRUST_PROXY must /);
    });
  }
});
