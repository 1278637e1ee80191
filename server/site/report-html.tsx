import type { MirroredReported } from '../../mesh/mesh-ports.js';
import {
  REPORT_KINDS,
  REPORT_REASONS,
  type ReportKind,
  type ReportReason,
} from '../../protocol/moderation.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import type { BoardError } from '../errors.js';
import { messageUrl } from '../http/urls.js';
import { excerptOf } from './bodies.js';
import { Fault, faulty, Select } from './controls.js';
import type { Page } from './document.js';
import { Time } from './labels.js';
import { foreignPath } from './mirrored-card.js';
import { SafeText, VisibleText } from './safe-text.js';

export type FormFields = Readonly<Record<string, string>>;

const EXCERPT = 200;

const KINDS: Readonly<Record<ReportKind, string>> = {
  report: 'Report this message',
  appeal: 'Appeal: show it again',
  selection_error: 'Error in a daily selection',
};

const REASONS: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam, or the same text repeated',
  advertising: 'Advertising',
  dangerous_instructions: 'Dangerous instructions',
  privacy: 'Private data: address, phone …',
  legal: 'It is against the law',
  author_request: 'I wrote it and want it removed',
  rating_visibility: 'Hidden, or not hidden, by rating',
  disagreement: 'I disagree (no reason to remove)',
  other: 'Something else',
};

const FAULTS: Readonly<Record<string, string>> = {
  message_id: 'Give the number of a message, as it is beside it: #123.',
  reason: 'Choose a reason.',
  kind: 'Choose what this is.',
};

/** A message of this board, or of one that it mirrors. */
export type Reported = MirroredReported & { board?: string };

type FormFacts = {
  fields: FormFields;
  /** As it is now; null for an unknown number. */
  reported: Reported | null;
  error?: BoardError | undefined;
};

export function reportHtml(ctx: Context, facts: FormFacts): Page {
  const isAppeal = kindOf(facts) === 'appeal';
  const title = isAppeal ? 'Appeal a decision' : 'Report a message';
  return {
    title,
    ...(facts.reported === null && facts.error === undefined
      ? {
          canonical: `${ctx.config.baseUrl}/report`,
          description:
            'Tells the operators of this board, in private, what should not be here.',
        }
      : {}),
    hasForm: true,
    now: ctx.clock.now(),
    children: (
      <>
        <h1>{title}</h1>
        <p class="lead">
          {isAppeal
            ? 'Should this message be put back, or be shown in lists again? Tell the operators why.'
            : 'Is something here that should not be? Tell the operators of this board.'}{' '}
          Only they read your {isAppeal ? 'appeal' : 'report'}; it never becomes
          public, and no address of yours is stored. You need no account.
        </p>
        <Contact contact={ctx.config.boardContact} />
        <Form {...facts} max={ctx.limits.report_detail_code_points} />
      </>
    ),
  };
}

/** Removed messages can be appealed. */
function kindOf({ fields, reported }: FormFacts): string {
  const isGone = reported !== null && reported.body === null;
  return fields.kind ?? (isGone ? 'appeal' : 'report');
}

function Contact({ contact }: { contact: string }) {
  if (contact === '') return null;
  return (
    <p class="quiet">
      The operators can also be reached at <SafeText text={contact} />.
    </p>
  );
}

function Form({ max, ...facts }: FormFacts & { max: number }) {
  const { fields, reported, error } = facts;
  const { message_id: id = '', request_id: request = '' } = fields;
  const { field, text } = faultOf(error);
  const at = (name: string) => (field === name ? text : undefined);
  const hasField =
    FIELDS.includes(field) && (field !== 'message_id' || reported === null);
  const kind = kindOf(facts);
  return (
    <form class="report" method="post" action="/report">
      {text === undefined || hasField ? null : (
        <p class="notice" role="alert">
          {text}
        </p>
      )}
      <input type="hidden" name="request_id" value={request} />
      {fields.board === undefined ? null : (
        <>
          <input type="hidden" name="board" value={fields.board} />
          <p class="quiet">
            This message belongs to <SafeText text={fields.board} />, and this
            board mirrors it. Your report goes to the operators of this board.
          </p>
        </>
      )}
      {reported === null ? (
        <div class="field narrow">
          <label for="message_id">Number of the message</label>
          <input
            id="message_id"
            name="message_id"
            type="text"
            inputmode="numeric"
            pattern="[1-9][0-9]*"
            required
            autocomplete="off"
            value={id}
            {...faulty('message_id', at('message_id'))}
          />
          <Fault of="message_id" fault={at('message_id')} />
        </div>
      ) : (
        <>
          <input type="hidden" name="message_id" value={id} />
          <ReportedMessage message={reported} />
        </>
      )}
      <Select
        name="kind"
        label="What this is"
        chosen={kind}
        fault={at('kind')}
        options={REPORT_KINDS.filter((kind) => kind !== 'selection_error').map(
          (kind) => [kind, KINDS[kind]],
        )}
      />
      <Select
        name="reason"
        label="Reason"
        any="Choose one"
        required
        chosen={fields.reason}
        fault={at('reason')}
        options={REPORT_REASONS.map((one) => [one, REASONS[one]])}
      />
      <div class="field">
        <label for="detail">
          Anything that helps (optional, up to {max} characters)
        </label>
        <textarea
          id="detail"
          name="detail"
          rows={5}
          maxLength={max}
          dir="auto"
          {...faulty('detail', at('detail'))}
        >
          {fields.detail ?? ''}
        </textarea>
        <Fault of="detail" fault={at('detail')} />
      </div>
      <button type="submit">
        {kind === 'appeal' ? 'Send the appeal' : 'Send the report'}
      </button>
    </form>
  );
}

/** Show their own fault. */
const FIELDS: readonly string[] = ['message_id', 'kind', 'reason', 'detail'];

/** In words, and where. */
function faultOf(error: BoardError | undefined): {
  field: string;
  text?: string;
} {
  if (error === undefined) return { field: '' };
  const { code, detail, extras } = error;
  const { field = '' } = extras;
  if (code === 'message_not_found') {
    return {
      field: 'message_id',
      text: 'No message of this board has this number.',
    };
  }
  if (code === 'request_id_conflict') {
    return {
      field,
      text: 'This form was sent before with other words. Send it again to make another report of it.',
    };
  }
  const text = code === 'invalid_input' ? (FAULTS[field] ?? detail) : detail;
  return { field, text };
}

function ReportedMessage({ message }: { message: Reported }) {
  const { id, root_id: root, title, author, body, board } = message;
  const href =
    board === undefined ? messageUrl('', root, id) : foreignPath(board, id);
  return (
    <blockquote class="reported">
      <p class="meta">
        <a href={href}>#{id}</a>
        {body === null ? (
          board === undefined ? (
            ' Removed message'
          ) : (
            ' Message without its text'
          )
        ) : (
          <>
            {' by '}
            <SafeText text={author ?? ''} />,{' '}
            <Time at={publicTime(message.created_at)} />
          </>
        )}
      </p>
      {title === null || body === null ? null : (
        <p dir="auto">
          <strong>
            <VisibleText text={title} />
          </strong>
        </p>
      )}
      {body === null ? null : (
        <p dir="auto">
          <VisibleText text={excerptOf(body, EXCERPT)} />
        </p>
      )}
    </blockquote>
  );
}
