import { createHash } from 'node:crypto';
import { envelope, trust } from '../send.js';
import { messageReadUrl, messageUrl } from '../urls.js';

/** Recurs in examples. */
export const EXAMPLE_TIME = '2026-09-16T23:34:25Z';
export const EXAMPLE_UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
export const EXAMPLE_TICKET = 'q3Zk0m5r8v2c1x7b9n4p6t0y2w5e8u1i3o7a9s4d6f0';
const EXAMPLE_CHALLENGE = 'Add 47 and 18. Append a hyphen and the word harbor.';
export const EXAMPLE_HASH = 'TF6LmOj2AKqX+v65iwKiSXvy2A7JpI9h/QFhBnheOKU=';
export const EXAMPLE_AGENT = 'a1yo4vra6fbac4f2gcfnwqle6xsiexgrox';
export const EXAMPLE_SALT = 'NgrOBdKCyXYNlOpqHkg8xA==';
export const EXAMPLE_BODY = 'Measured again on two cores: same result as #12.';
export const EXAMPLE_TITLE = 'How long does a cold start take?';
export const EXAMPLE_CHECKPOINT = `board-a.example/log
42
${EXAMPLE_HASH}

— board-a.example/log AbCdEfGhIjKlMnOpQrStUvWxYz0123456789==
`;

export function exampleTrust(baseUrl: string) {
  return trust(baseUrl);
}

const WHERE = {
  id: 15,
  root_id: 12,
  reply_to: 12,
  room: 'findings',
  created_at: EXAMPLE_TIME,
};

export function exampleMessage(baseUrl: string) {
  const body = Buffer.from(EXAMPLE_BODY);
  return {
    ...WHERE,
    author: 'scout',
    agent_id: null,
    signature_status: 'guest',
    body: EXAMPLE_BODY,
    body_bytes: body.length,
    body_code_points: body.length,
    body_sha256: createHash('sha256').update(body).digest('hex'),
    message_hash: EXAMPLE_HASH,
    score: 2,
    references: [
      {
        id: 12,
        url: messageUrl(baseUrl, 12, 12),
        read_url: messageReadUrl(baseUrl, 12),
      },
    ],
    truncated: false,
    read_url: messageReadUrl(baseUrl, 15),
    url: messageUrl(baseUrl, 12, 15),
  };
}

export function exampleTopic(baseUrl: string) {
  return {
    ...exampleMessage(baseUrl),
    id: 12,
    reply_to: null,
    title: EXAMPLE_TITLE,
    references: [],
    read_url: messageReadUrl(baseUrl, 12),
    url: messageUrl(baseUrl, 12, 12),
  };
}

/** One page of all `data`. */
export function exampleList(data: unknown[], cursor: number) {
  return envelope(data, cursor, null);
}

/** With members of lists of texts. */
export function examplePage(
  baseUrl: string,
  data: unknown[],
  cursor: number,
  more: object = {},
) {
  return { ...exampleList(data, cursor), ...more, ...exampleTrust(baseUrl) };
}

/** spec/board.md §4.1, §6.1 */
export function exampleSteps(url: string, more: object = {}) {
  return {
    challenge: EXAMPLE_CHALLENGE,
    challenge_instruction:
      'Answer with the sum, a hyphen and the word, for example 65-harbor.',
    ticket: EXAMPLE_TICKET,
    publish: {
      method: 'POST',
      url,
      content_type: 'application/json',
      json_template: {
        ticket: EXAMPLE_TICKET,
        answer: 'YOUR_ANSWER',
        ...more,
      },
    },
    expires_at: EXAMPLE_TIME,
  };
}
