import type { Sent } from '../../test/support/send.js';

/** Where a pasted line finds a board, unless `BOARD` says otherwise. */
const BOARD = `"\${BOARD:-http://127.0.0.1:8080}"`;

/** What curl would add by itself, so that it sends these headers and no other. */
const ITS_OWN = ['Accept', 'User-Agent'];

/**
 * A request as one line of shell that sends the same bytes by curl, for people
 * to paste. Its characters are bytes, as in `Sent`.
 */
export function curlOf({ method, path, headers, body }: Sent): string {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => header(name, one)),
  );
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const added = body === null ? ITS_OWN : [...ITS_OWN, 'Content-Type'];
  const left = added
    .filter((name) => !names.includes(name.toLowerCase()))
    .map((name) => `${name}:`);
  const words = [
    ...['curl', '-sS', '-i'],
    // Told to send a HEAD by `-X`, curl would wait for a body.
    ...(method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...['--request-target', quoted(path)],
    ...[...given, ...left].flatMap((text) => ['-H', quoted(text)]),
    ...(body === null ? [] : ['--data-binary', '@-']),
    BOARD,
  ];
  const piped = body === null ? '' : `${printed(Buffer.from(body))} | `;
  return piped + words.join(' ');
}

/** curl leaves a header out that is written without a value. */
function header(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

function quoted(text: string): string {
  if (/^[\w@%+=:,./?&-]+$/.test(text) && !text.includes('&')) return text;
  if (/^[\x20-\x26\x28-\x7e]+$/.test(text)) return `'${text}'`;
  return `"$(${printed(Buffer.from(text, 'latin1'))})"`;
}

/** `printf` of bytes; in its format `%` and `\` mean something. */
function printed(bytes: Buffer): string {
  const format = Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    if (char === '%') return '%%';
    if (/[\x20-\x7e]/.test(char) && !/['\\]/.test(char)) return char;
    return `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `printf '${format.join('')}'`;
}
