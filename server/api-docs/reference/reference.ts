import type { RequestHandler } from 'express';
import { firstAsked } from '../lazy.js';
import { htmlOf } from '../../site/document.js';
import { document } from '../document.js';
import type { MachineDescription } from '../machine-description.js';
import type { Described } from './described.js';
import { referencePage } from './page.js';

const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * GET /reference: the machine description for people, made once of the very
 * bytes that `/openapi.json` serves (spec/board.md §9). No script, no request
 * to any other host.
 */
export function reference(machine: () => MachineDescription): RequestHandler {
  const page = firstAsked(() => {
    const text = machine().bytes.toString('utf8');
    const html = htmlOf(referencePage(JSON.parse(text) as Described));
    return { bytes: Buffer.from(html, 'utf8'), type: HTML_TYPE };
  });
  return document(page);
}
