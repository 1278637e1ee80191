import { Link } from '@tanstack/react-router';
import type { Item } from '../../../server/dashboard/commands/item.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { StateTag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

export function ThreadEvidence({ item: { context, message } }: { item: Item }) {
  if (context.length === 0) return null;
  return (
    <Section title="Thread around it">
      <ol className="plain">
        {context.map((it) => (
          <li key={it.id}>
            <p className="row tight">
              <Link
                to="/item/$subject"
                params={{ subject: `message:${it.id}` }}
              >
                {it.id === message.root_id ? 'Topic' : 'Message'} {it.id}
              </Link>
              <Inert text={it.author} />
              <span className="dim">
                <Time at={it.created_at} />
                {it.reply_to === null ? '' : `, reply to #${it.reply_to}`}
              </span>
              <StateTag state={it.state} />
            </p>
            {it.title === null ? null : (
              <p className="strong tight">
                <Inert text={it.title} />
              </p>
            )}
            <Inert text={it.body} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
