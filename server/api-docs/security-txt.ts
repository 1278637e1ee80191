import type { RequestHandler } from 'express';
import { parseUrl } from '../../protocol/parse-url.js';
import { DAY_MS, publicTime, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { sendText } from '../http/conditional.js';

/** RFC 9116 advises less than a year. */
const VALID_DAYS = 90;
const ADDRESS =
  /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@<>"(),:;[\]\\]+$/;

/**
 * BOARD_CONTACT as the URI that RFC 9116 asks for: an `https:`, `mailto:` or
 * `tel:` URI as it is, an e-mail address as `mailto:`. Null for anything else:
 * a name or a sentence reaches nobody.
 */
export function contactUri(contact: string): string | null {
  const text = contact.trim();
  if (ADDRESS.test(text)) return `mailto:${text}`;
  if (!/^(?:https:\/\/|mailto:|tel:)[\x21-\x7e]+$/i.test(text)) return null;
  return parseUrl(text) === null ? null : text;
}

/**
 * GET /.well-known/security.txt (RFC 9116): whom to tell of a weakness. It
 * expires 90 days after the UTC day it is asked on.
 */
export function securityTxt(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  contact: string,
): RequestHandler {
  return (req, res) => {
    const today = utcDayStart(clock.now());
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${publicTime(today + VALID_DAYS * DAY_MS)}`,
      'Preferred-Languages: en',
      `Canonical: ${config.baseUrl}/.well-known/security.txt`,
    ];
    sendText(req, res, `${lines.join('\n')}\n`, { cache: 'revalidate' });
  };
}
