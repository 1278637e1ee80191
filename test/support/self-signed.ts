import { generateKeyPairSync } from 'node:crypto';
import { CN, certificate } from '../admin/access-certificate.js';

const ALTERNATIVE_NAME = '2.5.29.17';

export function selfSigned(host: string): { key: string; certificate: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  });
  const subject = { [CN]: host };
  const name = Buffer.from(host);
  const bytes = certificate({
    subject,
    publicKey,
    issuer: { subject, key: privateKey },
    revoked: 'http://localhost/revoked',
    extensions: {
      [ALTERNATIVE_NAME]: Buffer.concat([
        Buffer.of(0x30, name.length + 2, 0x82, name.length),
        name,
      ]),
    },
  });
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}
