import { Facts, Line } from '../../site/index.js';
import {
  type Content,
  type Described,
  type Operation,
  type Parameter,
  resolved,
} from './described.js';
import { Prose, Sample, Type } from './schema.js';

export type Place = { method: string; path: string; operation: Operation };

type RequestProps = { method: string; path: string };

export function RequestLine({ method, path }: RequestProps) {
  return (
    <code>
      <span class={`method ${method}`}>{method.toUpperCase()}</span> {path}
    </code>
  );
}

type EntryProps = { document: Described; place: Place };

export function OperationEntry({ document, place }: EntryProps) {
  const { method, path, operation } = place;
  const parameters = operation.parameters.map((one) =>
    resolved(document.components.parameters, one),
  );
  return (
    <section
      class="panel body"
      id={operation.operationId}
      aria-label={operation.summary}
    >
      <h3>
        <RequestLine method={method} path={path} />
      </h3>
      <p>
        <strong>{operation.summary}.</strong>
        {operation.deprecated ? ' Deprecated.' : null}
      </p>
      <Prose text={operation.description} />
      <Parameters parameters={parameters} />
      {operation.requestBody === undefined ? null : (
        <>
          <h4>Body</h4>
          <Bodies content={operation.requestBody.content} />
        </>
      )}
      <h4>Answers</h4>
      <Answers document={document} operation={operation} />
      {operation['x-limits'].length === 0 ? null : (
        <p>
          Limits: <Line text={quoted(operation['x-limits'])} />.
        </p>
      )}
    </section>
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  const own = parameters.filter((one) => one.in !== 'header');
  if (own.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <Facts
        facts={own.map(({ name, in: where, required, description, schema }) => [
          <>
            <code>{name}</code> in {where}
          </>,
          <>
            <Type schema={schema} />
            {required ? '. ' : ', optional. '}
            {description === undefined ? null : <Line text={description} />}
          </>,
        ])}
      />
    </>
  );
}

type AnswersProps = { document: Described; operation: Operation };

function Answers({ document, operation }: AnswersProps) {
  const answers = Object.entries(operation.responses).filter(
    ([status]) => status !== 'default',
  );
  return (
    <Facts
      facts={answers.map(([status, given]) => {
        const answer = resolved(document.components.responses, given);
        // An error's example is the same everywhere.
        const shown = Number(status) < 400 ? answer.content : undefined;
        return [
          status,
          <>
            <Prose text={answer.description} />
            {shown === undefined ? null : <Bodies content={shown} />}
          </>,
        ];
      })}
    />
  );
}

function Bodies({ content }: { content: Content }) {
  return (
    <>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <>
          <p>
            <code>{type}</code>: <Type schema={schema} />
          </p>
          {example === undefined ? null : (
            <Sample name="Example" value={example} />
          )}
        </>
      ))}
    </>
  );
}
