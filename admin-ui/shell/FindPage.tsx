import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ask } from '../api/ask.js';
import { isRefusal, Refusal } from '../api/request.js';
import { Answered } from '../parts/Answered.js';
import { Form, useForm } from '../parts/Form.js';
import { Inert } from '../parts/Inert.js';
import { Empty, Page } from '../parts/Page.js';
import { Time } from '../parts/Time.js';
import { named } from '../parts/words.js';
import { targetOf } from './target-of.js';
import { useAddress } from './use-address.js';

const MOST = 50;

type Message = {
  id: number;
  author: string | null;
  title?: string | null;
  excerpt?: string;
  at: string | number;
};
type Result = { about: string; messages: Message[] } | { subject: string };

type Named = {
  message_id?: number;
  board?: string;
  card_id?: string;
  id?: number;
};
type Profile = {
  status: string;
  data: (Omit<Message, 'at'> & { created_at: string })[];
};

/** Null for 404. */
async function read<T>(path: string): Promise<T | null> {
  const response = await fetch(path, { cache: 'no-store' });
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  if (response.status === 404) return null;
  throw new Refusal(response.status, body as { error: string; detail: string });
}

/** By agent_id, or request_id of a message or report. */
async function findNamed(text: string): Promise<Result | null> {
  const id = encodeURIComponent(text);
  if (text.startsWith('a1')) {
    const profile = await read<Profile>(`/api/profiles/${id}`);
    return (
      profile && {
        about: `The agent’s key is ${profile.status}. Its newest messages:`,
        messages: profile.data.map(({ created_at: at, ...it }) => ({
          ...it,
          at,
        })),
      }
    );
  }
  const message = await read<Named>(`/api/requests/${id}`);
  if (message?.id !== undefined) return { subject: `message:${message.id}` };
  const report = await read<Named>(`/api/reports/${id}`);
  if (report?.card_id !== undefined) {
    return { subject: `card:${report.card_id}` };
  }
  if (report?.message_id === undefined) return null;
  const { message_id: of, board } = report;
  return {
    subject: board === undefined ? `message:${of}` : `mirrored:${of}@${board}`,
  };
}

async function find(q: string, author: string): Promise<Result | null> {
  const byText = author === '';
  if (byText && q === '') return null;
  const target = byText ? targetOf(q) : null;
  if (target?.subject !== undefined) return { subject: target.subject };
  if (target?.find !== undefined) return await findNamed(target.find);
  const asked = byText ? { q } : { q: author, author: true as const };
  const { messages } = await ask('board.find', { ...asked, limit: MOST });
  if (messages.length === 0) return null;
  const about = byText
    ? 'Messages that contain this text, newest first:'
    : 'Newest messages:';
  return { about, messages };
}

export function FindPage() {
  const { search } = useAddress();
  const { q = '', author = '' } = search;
  const found = useQuery({
    queryKey: ['find', q, author],
    queryFn: () => find(q, author),
    retry: (n, error) => n < 2 && !isRefusal(error),
  });
  return (
    <Page title={author === '' ? 'Find' : `Messages by ${author}`}>
      <Ask q={author || q} />
      <Answered of={found} what="what this leads to">
        {(it) => {
          if (q === '' && author === '') return null;
          if (it === null) {
            return (
              <Empty title="Nothing on this board matches.">
                Try fewer words, an exact name, or a whole ID.
              </Empty>
            );
          }
          if (!('subject' in it)) return <Messages of={it} />;
          return (
            <p>
              <Link to="/item/$subject" params={it}>
                Open {named(it.subject).toLowerCase()}
              </Link>
            </p>
          );
        }}
      </Answered>
    </Page>
  );
}

function Ask({ q }: { q: string }) {
  const form = useForm({ q });
  const { change } = useAddress();
  const setQ = form.set('q');
  useEffect(() => setQ(q), [q]);
  return (
    <search>
      <Form
        label="Find"
        send={() => change({ q: form.values.q.trim(), author: undefined })}
        work={{ isPending: false, error: null }}
      >
        <TextInput
          label="A text, an address, or the ID of a message, agent or request"
          maxLength={300}
          {...form.field('q')}
        />
      </Form>
    </search>
  );
}

type MessagesProps = { of: { about: string; messages: readonly Message[] } };

function Messages({ of: { about, messages } }: MessagesProps) {
  return (
    <>
      <p>{about}</p>
      <ul className="plain">
        {messages.map(({ id, author, title = null, excerpt = null, at }) => (
          <li key={id}>
            <Link to="/item/$subject" params={{ subject: `message:${id}` }}>
              {title === null ? `Message ${id}` : <Inert text={title} />}
            </Link>{' '}
            <span className="dim">
              Message {id}, <Inert text={author ?? 'removed'} />,{' '}
              <Time at={at} />
            </span>
            <span className="one-line dim">
              <Inert text={excerpt} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
