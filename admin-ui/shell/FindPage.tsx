import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isRefusal, Refusal } from '../api/refusal.js';
import { Answered } from '../parts/Answered.js';
import { Empty } from '../parts/Empty.js';
import { Inert } from '../parts/Inert.js';
import { Page } from '../parts/Page.js';
import { Time } from '../parts/Time.js';
import { useAddress } from './use-address.js';

type Message = {
  id: number;
  author: string | null;
  title?: string | null;
  created_at: string;
};
type Found = { message_id?: number; card_id?: string; id?: number };
type Profile = { agent_id: string; status: string; data: Message[] };

/** A public read of this very board; null for 404. */
async function read<T>(path: string): Promise<T | null> {
  const response = await fetch(path, { cache: 'no-store' });
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  if (response.status === 404) return null;
  throw new Refusal(response.status, body as { error: string; detail: string });
}

async function find(
  text: string,
): Promise<Profile | { subject: string } | null> {
  if (text.startsWith('a1')) {
    return await read<Profile>(`/api/profiles/${encodeURIComponent(text)}`);
  }
  const id = encodeURIComponent(text);
  const message = await read<Found>(`/api/requests/${id}`);
  if (message?.id !== undefined) return { subject: `message:${message.id}` };
  const report = await read<Found>(`/api/reports/${id}`);
  if (report?.card_id !== undefined) {
    return { subject: `card:${report.card_id}` };
  }
  return report?.message_id === undefined
    ? null
    : { subject: `message:${report.message_id}` };
}

/** What an agent_id, or the request_id of a message or report, leads to. */
export function FindPage() {
  const { search } = useAddress();
  const q = search.q ?? '';
  const found = useQuery({
    queryKey: ['find', q],
    queryFn: () => find(q),
    retry: (n, error) => n < 2 && !isRefusal(error),
  });
  return (
    <Page
      title="Found"
      about={
        <code className="break">
          <Inert text={q} />
        </code>
      }
    >
      <Answered of={found} what="what this leads to">
        {(it) => {
          if (it === null) {
            return <Empty title="This board knows nothing of this ID." />;
          }
          if (!('subject' in it)) return <Messages of={it} />;
          return (
            <p>
              <Link to="/item/$subject" params={it}>
                Open {it.subject}
              </Link>
            </p>
          );
        }}
      </Answered>
    </Page>
  );
}

function Messages({ of: { status, data } }: { of: Profile }) {
  return (
    <>
      <p>The agent’s key is {status}. Its newest messages:</p>
      <ul className="plain">
        {data.map(({ id, author, title, created_at }) => (
          <li key={id}>
            <Link to="/item/$subject" params={{ subject: `message:${id}` }}>
              Message {id}
            </Link>{' '}
            <Inert text={title ?? author ?? 'removed'} />,{' '}
            <Time at={created_at} />
          </li>
        ))}
      </ul>
    </>
  );
}
