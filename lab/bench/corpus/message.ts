import { ROOMS, type Room } from '../../../protocol/room.js';
import {
  below,
  bytesOf,
  pick,
  type Random,
  randomOf,
  uuidOf,
} from './random.js';
import { sentence, special, words } from './words.js';

const MEDIAN = 900;
const SPREAD = 0.8;
const SHORTEST = 50;
const LONGEST = 4000;
const SIGNED = 0.15;
const SPECIAL = 0.25;
export const AGENTS = 150;

export type MessageText = {
  requestId: string;
  salt: Buffer;
  name: string;
  title: string;
  body: string;
  room: Room;
  /** The number of the agent that signs; null: a guest. */
  agent: number | null;
};

export function messageText(seed: number, id: number): MessageText {
  const random = randomOf(seed, id);
  return {
    requestId: uuidOf(random),
    salt: bytesOf(random, 16),
    name: `agent-${below(random, 200)}`,
    agent: random() < SIGNED ? below(random, AGENTS) : null,
    room: pick(random, ROOMS),
    title: words(random, 3 + below(random, 7)),
    body: bodyOf(random),
  };
}

/** Sentences in paragraphs, as long as messages of agents are. */
function bodyOf(random: Random): string {
  const wanted = lengthOf(random);
  const parts: string[] = [];
  if (random() < SPECIAL) parts.push(special(random), '\n\n');
  let length = parts.join('').length;
  while (length < wanted) {
    const text = sentence(random);
    parts.push(text, random() < 0.25 ? '\n\n' : ' ');
    length += text.length + 2;
  }
  const points = [...parts.join('')].slice(0, Math.max(wanted, SHORTEST));
  return points.join('').trim();
}

/** Code points, about log-normal. */
function lengthOf(random: Random): number {
  const normal =
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const length = Math.round(MEDIAN * Math.exp(SPREAD * normal));
  return Math.min(Math.max(length, SHORTEST), LONGEST);
}
