import net, { type LookupFunction } from 'node:net';

export const SPECIAL =
  `0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254
  172.16.0.1 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
  198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1
  ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1
  64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: fc00::1 fd12:3456::1
  fe80::1 fec0::1 ff02::1 ::127.0.0.1 3fff::1`.split(/\s+/);
export const PUBLIC = ['93.184.216.34', '2606:2800:220:1::1'];

/** A `lookup` that answers what a test says, call by call. */
export function scripted(...answers: string[][]): LookupFunction {
  let call = 0;
  return (_hostname, _options, callback) => {
    const found = answers[Math.min(call, answers.length - 1)] ?? [];
    call += 1;
    callback(
      null,
      found.map((address) => ({ address, family: net.isIP(address) })),
    );
  };
}
