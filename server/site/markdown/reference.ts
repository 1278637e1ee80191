import type { Env, StateInline } from 'markdown-it';
import { type ReferencePlace, referencePlaces } from '../../http/references.js';

const HASH = 0x23;

/** What rendering knows beside the text. */
export type MarkdownEnv = Env & {
  /** Address of every message the text may name (spec/board.md §2.8). */
  messages?: ReadonlyMap<number, string>;
  /** Of the stretch being parsed; found once for all its references. */
  places?: { src: string; byStart: ReadonlyMap<number, ReferencePlace> };
};

function placeAt(env: MarkdownEnv, src: string, start: number) {
  if (env.places?.src !== src) {
    const places = referencePlaces(src);
    env.places = {
      src,
      byStart: new Map(places.map((place) => [place.start, place])),
    };
  }
  return env.places.byStart.get(start);
}

/**
 * `#ID` of an existing message. As an inline rule it sees neither code nor
 * escaped characters.
 */
export function reference(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== HASH || state.linkLevel > 0) return false;
  const env = state.env as MarkdownEnv;
  if (env.messages === undefined || env.messages.size === 0) return false;
  const place = placeAt(env, src, pos);
  const href = place && env.messages.get(place.id);
  if (place === undefined || href === undefined) return false;
  if (!silent) {
    const open = state.push('reference_open', 'a', 1);
    open.attrs = [['href', href]];
    state.push('text', '', 0).content = `#${place.id}`;
    state.push('reference_close', 'a', -1);
  }
  state.pos = place.end;
  return true;
}
