import type { AttackClass, Target, Try } from './target.js';

/** Ways out of what is served, and names that are no name of anything. */
const PATHS = [
  ...['/../../etc/passwd', '/..%2f..%2fetc/passwd'],
  ...['/%2e%2e/%2e%2e/board.seed', '/admin/assets/../../board.seed'],
  '/admin/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  ...['/admin/assets/..%5c..%5cpackage.json', '/client/../package.json'],
  ...['/client/%2e%2e/package.json', '/%00', '/api/threads%00.json'],
  ...['/api/messages/%ff', '/api/messages/__proto__', '/api/messages/-1'],
  ...['/api/messages/1e3', '/api/messages/9007199254740993'],
  ...['/log/tile/0/../../x', '/log/tile/0/x001/-01'],
  ...['/mirror/..%2f/checkpoint', '/openapi/__proto__'],
  ...['/reference/constructor', '/node_modules/express/package.json'],
  ...['/.env', '/.git/config'],
];

export function paths(target: Target): AttackClass {
  const tries = PATHS.map((path): Try => {
    const run = async () => {
      const end = 'Host: a\r\nConnection: close\r\n\r\n';
      const text = await target.raw(`GET ${path} HTTP/1.1\r\n${end}`);
      if (!/^HTTP\/1\.1 (?:400|404|301|308) /.test(text)) {
        return text.slice(0, 40);
      }
      return /root:|"dependencies"|[0-9a-f]{64}\n$/.test(text)
        ? 'a file of the machine came back'
        : null;
    };
    return { what: path, run };
  });
  return { name: 'paths', tries };
}
